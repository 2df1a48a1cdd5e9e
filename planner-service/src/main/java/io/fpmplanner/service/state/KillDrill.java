/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kills a process (SIGKILL) that saves states without a pause, again and again at random moments, and reads after each what
 * is there.
 */
public final class KillDrill {
    private static final int LONGEST_MILLIS = 60;

    private final Path directory;
    private final SplittableRandom random;
    private long saved = -1;

    /** Kills at moments drawn from the seed; the directory must exist and be empty. */
    public KillDrill(Path directory, long seed) {
        this.directory = directory;
        this.random = new SplittableRandom(seed);
    }

    /**
     * What came of it.
     *
     * @param kills processes killed
     * @param snapshots states that were saved in all
     * @param torn times the newest file could not be used and the one before was
     * @param lost times less was found than the process had said it had saved
     * @param corrupt times what was found could not be read or was not of one piece
     */
    public record Result(int kills, long snapshots, int torn, int lost, int corrupt) {}

    /** Kills so many times. */
    public Result run(int kills) throws IOException, InterruptedException {
        int torn = 0;
        int lost = 0;
        int corrupt = 0;
        long snapshots = 0;
        for (int i = 0; i < kills; i++) {
            long before = saved;
            killOnce();
            snapshots += saved - before;
            List<String> complaints = new ArrayList<>();
            StateFiles.Found found = new StateFiles(directory, Disk.REAL).load();
            torn += found.complaints().size();
            try {
                PlannerMemory memory = MemoryJson.read(found.content().orElseThrow(), complaints);
                boolean whole = complaints.isEmpty()
                        && memory.pools().size() == 5
                        && memory.pools().stream().allMatch(pool -> pool.fleet().desired() == memory.takenNanos());
                corrupt += whole ? 0 : 1;
                lost += memory.takenNanos() < saved ? 1 : 0;
                saved = memory.takenNanos();
            } catch (IOException | RuntimeException e) {
                corrupt++;
            }
        }
        return new Result(kills, snapshots, torn, lost, corrupt);
    }

    /** Starts a process, lets it save at least once, and kills it a random moment later. */
    private void killOnce() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StateWriter.class.getName(),
                        directory.toString(),
                        Long.toString(saved + 1))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String first = lines.readLine();
            if (first == null) {
                throw new IOException("the process that saves states ended by itself");
            }
            Thread.sleep(random.nextInt(LONGEST_MILLIS), random.nextInt(1_000_000));
            // By its handle: the process itself would close its output with what is in the pipe still.
            process.toHandle().destroyForcibly();
            process.waitFor();
            // Lines that were written before the kill are in the pipe; a torn last one is not counted.
            String last = first;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.length() >= last.length() ? line : last;
            }
            saved = Math.max(saved, Long.parseLong(last));
        } finally {
            process.destroyForcibly();
        }
    }
}
