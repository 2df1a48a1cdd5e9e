/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.sun.management.OperatingSystemMXBean;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The service in this process with what publishes for it in another. */
final class LiveRun implements AutoCloseable {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    /** Once nothing has come for so long after the last was sent, what is missing is lost. */
    private static final long QUIET_MILLIS = 1_000;

    private final FrameMeter meter = new FrameMeter();
    private final Machine machine;
    private final PlannerService service;
    private final Child publisher;
    private final int sockets;
    private long sentBefore;
    private long lostInWarmUp;

    /**
     * What publishes.
     *
     * @param sockets how many
     * @param workersEach that share a socket
     * @param ipc over Unix-domain sockets instead of TCP
     * @param highWaterMark frames that may wait for each
     */
    record Publishers(int sockets, int workersEach, boolean ipc, int highWaterMark) {}

    /**
     * Starts both.
     *
     * @param pools among which the sockets are spread evenly
     * @param settings {@code key=value}, besides the pools
     */
    LiveRun(Publishers publishers, int pools, List<String> settings)
            throws IOException, ConfigException, StartException {
        sockets = publishers.sockets();
        List<String> arguments = new ArrayList<>(List.of(
                "bench",
                "publish",
                "--sockets=" + sockets,
                "--workers=" + publishers.workersEach(),
                "--high-water-mark=" + publishers.highWaterMark()));
        if (publishers.ipc()) {
            Path directory = Files.createTempDirectory("fpm-bench");
            directory.toFile().deleteOnExit();
            arguments.add("--directory=" + directory);
        }
        machine = new Machine();
        publisher = Child.start(List.of("-Xmx512m", "-XX:+UseSerialGC"), arguments);
        List<String> addresses = publisher.linesUntil("bound");
        service = start(addresses, pools, settings, meter);
        publisher.linesUntil("subscribed");
    }

    static PlannerService start(List<String> addresses, int pools, List<String> settings, FrameMeter meter)
            throws ConfigException, StartException {
        Map<String, String> environment = new HashMap<>();
        int each = addresses.size() / pools;
        for (int i = 0; i < pools; i++) {
            environment.put("PLANNER_POOLS_" + i + "_ID", "pool-" + i);
            environment.put("PLANNER_POOLS_" + i + "_SCALING_MAX_REPLICAS", "20000");
            environment.put("PLANNER_POOLS_" + i + "_RANKS_MAX", "20000");
            environment.put("PLANNER_POOLS_" + i + "_RANKS_MAX_PER_ENDPOINT", "20000");
            environment.put(
                    "PLANNER_POOLS_" + i + "_SOURCES", String.join(",", addresses.subList(i * each, (i + 1) * each)));
        }
        List<String> all = new ArrayList<>(settings);
        all.add("http.port=0");
        return PlannerService.start(
                ConfigLoader.load(Optional.empty(), environment, all).config(), List.of(), meter);
    }

    PlannerService service() {
        return service;
    }

    FrameMeter meter() {
        return meter;
    }

    /** CPU time of all threads of this process so far, seconds. */
    static double cpuSeconds() {
        return PROCESS.getProcessCpuTime() / 1e9;
    }

    /**
     * A stretch of publishing.
     *
     * @param cores that this process used meanwhile
     * @param framesPerSecond taken in meanwhile
     * @param sent meanwhile
     * @param lost of these on the way
     * @param dropped by the publisher itself since the start, at its high-water mark
     * @param noise of the machine meanwhile
     */
    record Stretch(double cores, double framesPerSecond, long sent, long lost, long dropped, Machine.Noise noise) {}

    /** Frames lost on the way before the figures were taken: a JVM that has just started takes its time. */
    long lostInWarmUp() {
        return lostInWarmUp;
    }

    /** Lets the publisher send at that rate over all sockets, first to warm up and then, for the figures, once more. */
    Stretch publish(double framesPerSecond, double warmUpSeconds, double seconds)
            throws IOException, InterruptedException {
        lostInWarmUp += stretch(framesPerSecond, warmUpSeconds).lost();
        meter.time();
        return stretch(framesPerSecond, seconds);
    }

    private Stretch stretch(double framesPerSecond, double seconds) throws IOException, InterruptedException {
        machine.begin();
        long startNanos = System.nanoTime();
        double cpuBefore = cpuSeconds();
        long takenBefore = meter.taken();
        publisher.tell(framesPerSecond + " " + seconds);
        String[] words = publisher.line().split(" ", -1);
        double cores = cpuSeconds() - cpuBefore;
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        double rate = (meter.taken() - takenBefore) / elapsed;
        Machine.Noise noise = machine.end();
        long sentSoFar = Long.parseLong(words[1]);
        awaitQuiet(sentSoFar);
        long sent = sentSoFar - sentBefore;
        sentBefore = sentSoFar;
        long lost = sent - (meter.taken() - takenBefore);
        return new Stretch(cores / elapsed, rate, sent, lost, Long.parseLong(words[2]), noise);
    }

    private void awaitQuiet(long sent) throws InterruptedException {
        long before = -1;
        while (meter.taken() < sent && meter.taken() != before) {
            before = meter.taken();
            Thread.sleep(QUIET_MILLIS);
        }
    }

    @Override
    public void close() {
        service.close();
        publisher.close();
        machine.close();
    }
}
