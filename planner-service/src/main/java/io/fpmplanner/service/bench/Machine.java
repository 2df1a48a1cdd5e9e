/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What the machine itself does to whoever runs on it, noted beside a row so that its figures can be told apart from that: how
 * late a quiet process wakes, what the hypervisor took, how busy all processes were, and how long threads of this process
 * stood ready without a processor. Not threadsafe.
 */
final class Machine implements AutoCloseable {
    /*
     * Linux: /proc/stat counts hundredths of a second of all processors (user nice system idle iowait irq softirq steal); the
     * schedstat of a task begins with nanoseconds on a processor and nanoseconds in its queue. Elsewhere these are left out.
     */
    private static final Path STAT = Path.of("/proc/stat");
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final double STAT_PER_SECOND = 100;
    /** Words of the line, of which the first is its name. */
    private static final int STAT_IDLE = 4;

    private static final int STAT_WAITING = 5;
    private static final int STAT_STOLEN = 8;
    private static final List<String> SMALL = List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Child hiccups;
    private Counts before;

    /**
     * What was counted up to a moment.
     *
     * @param busySeconds of all processors, by any process
     * @param stolenSeconds of all processors, by the hypervisor
     * @param queuedSeconds that threads of this process stood ready without a processor
     */
    record Counts(long nanos, double busySeconds, double stolenSeconds, double queuedSeconds) {
        /** With the first line of /proc/stat. */
        static Counts of(long nanos, String stat, double queuedSeconds) {
            String[] words = stat.split(" +", -1);
            double busy = 0;
            for (int i = 1; i < STAT_STOLEN; i++) {
                busy += i == STAT_IDLE || i == STAT_WAITING ? 0 : Double.parseDouble(words[i]);
            }
            double stolen = Double.parseDouble(words[STAT_STOLEN]);
            return new Counts(nanos, busy / STAT_PER_SECOND, stolen / STAT_PER_SECOND, queuedSeconds);
        }
    }

    Machine() throws IOException {
        hiccups = Child.start(SMALL, List.of("bench", "hiccups"));
        hiccups.linesUntil(HiccupCommand.READY);
        before = counts();
    }

    /** What a row measures, with what the machine did all the while. */
    static Figures beside(Callable<Figures> row) throws Exception {
        try (Machine machine = new Machine()) {
            machine.begin();
            Figures figures = row.call();
            machine.end().into(figures);
            return figures;
        }
    }

    /** Notes from now on. */
    void begin() throws IOException {
        hiccups.tell(HiccupCommand.BEGIN);
        before = counts();
    }

    /** What was noted since it began. */
    Noise end() throws IOException {
        Counts after = counts();
        hiccups.tell(HiccupCommand.END);
        String[] words = hiccups.line().split(" ", -1);
        double seconds = (after.nanos - before.nanos) / 1e9;
        return new Noise(
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4]),
                (after.stolenSeconds - before.stolenSeconds) / seconds,
                (after.busySeconds - before.busySeconds) / seconds,
                (after.queuedSeconds - before.queuedSeconds) / seconds);
    }

    /**
     * What was noted.
     *
     * @param lateP50Millis by which a process that slept a millisecond woke late, usually
     * @param lateP99Millis the same, of one in a hundred times
     * @param lateMostMillis the same, the longest
     * @param stolenCores taken by the hypervisor; NaN where it cannot be told, as the following
     * @param busyCores of all processes together
     * @param queuedThreads of this process that stood ready without a processor, on average
     */
    record Noise(
            double lateP50Millis,
            double lateP99Millis,
            double lateMostMillis,
            double stolenCores,
            double busyCores,
            double queuedThreads) {
        Figures into(Figures figures) {
            return figures.put("machine, woke late p50, ms", lateP50Millis)
                    .put("machine, woke late p99, ms", lateP99Millis)
                    .put("machine, woke late at most, ms", lateMostMillis)
                    .putKnown("machine, stolen cores", stolenCores)
                    .putKnown("machine, busy cores", busyCores)
                    .putKnown("own threads waiting for a core", queuedThreads);
        }
    }

    private static Counts counts() throws IOException {
        if (!Files.isReadable(STAT)) {
            return new Counts(System.nanoTime(), Double.NaN, Double.NaN, Double.NaN);
        }
        return Counts.of(System.nanoTime(), Files.readAllLines(STAT).get(0), queuedSeconds());
    }

    private static double queuedSeconds() throws IOException {
        double seconds = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                seconds += Double.parseDouble(
                                Files.readString(task.resolve("schedstat")).split(" ", -1)[1])
                        / 1e9;
            }
        } catch (NoSuchFileException e) {
            return Double.NaN; // a thread has just ended, or this kernel does not count
        }
        return seconds;
    }

    @Override
    public void close() {
        hiccups.close();
    }
}
