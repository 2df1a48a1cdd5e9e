/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.sun.management.ThreadMXBean;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.RankLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * Decoder, rank, window and learner in one thread, no sockets: by number of ranks, for a frame must not cost more in a
 * larger fleet. Median over stretches of a thousand frames, which other processes on the machine disturb least.
 */
final class PathRow {
    private static final int[] RANKS = {10, 100, 1_000, 10_000};
    private static final long STEP_NANOS = 20_000_000;
    private static final int CHUNK = 1_024;
    private static final int ROUNDS_BEFORE = 600;
    private static final int LEAST_FRAMES_BEFORE = 500_000;

    private final FrameTemplates templates = new FrameTemplates();
    private final byte[][] payloads = new byte[FrameTemplates.STEPS][];
    private final byte[][] ids;
    private final String[] endpoints;
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();
    private final Planner planner = new Planner(List.of(new PoolSettings(
                    "bench",
                    "",
                    Role.AGGREGATED,
                    new SloTarget(1, 0.05, 0.95),
                    EngineLimits.defaults(),
                    new ScalingSettings(1, 20_000, 0.8, 60, 20),
                    LivenessSettings.defaults())
            .withRanks(new RankLimits(20_000, 16))));
    private int rank;
    private int round;
    private long nowNanos = 1_700_000_000_000_000_000L;

    private PathRow(int ranks) {
        ids = new byte[ranks][];
        endpoints = new String[ranks];
        for (int i = 0; i < ranks; i++) {
            ids[i] = FrameTemplates.workerIdBytes(i);
            endpoints[i] = "tcp://10.0." + i / 250 + "." + i % 250 + ":20380";
        }
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = templates.payload(i);
        }
    }

    static Figures run(Effort effort) {
        Figures figures = new Figures();
        double first = 0;
        for (int full : RANKS) {
            int ranks = effort.of(full);
            PathRow row = new PathRow(ranks);
            long before = effort.scale() < 1 ? 0 : Math.max(LEAST_FRAMES_BEFORE, (long) ROUNDS_BEFORE * ranks);
            for (long i = 0; i < before; i++) {
                row.next();
            }
            double nanos = row.measure(figures, full, effort.seconds());
            first = first == 0 ? nanos : first;
            figures.put(full + " ranks, times those of " + RANKS[0], nanos / first);
        }
        return figures;
    }

    private double measure(Figures figures, int shown, double seconds) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        double[] nanos = new double[1 << 20];
        int chunks = 0;
        long allocated = threads.getThreadAllocatedBytes(thread);
        long until = System.nanoTime() + (long) (seconds / RANKS.length * 1e9);
        while (chunks < nanos.length && (chunks == 0 || System.nanoTime() < until)) {
            long start = System.nanoTime();
            for (int i = 0; i < CHUNK; i++) {
                next();
            }
            nanos[chunks++] = (double) (System.nanoTime() - start) / CHUNK;
        }
        allocated = threads.getThreadAllocatedBytes(thread) - allocated;
        Arrays.sort(nanos, 0, chunks);
        figures.put(shown + " ranks, ns", nanos[chunks / 2]);
        long frames = (long) chunks * CHUNK;
        figures.count(shown + " ranks, B", allocated / frames);
        return nanos[chunks / 2];
    }

    private void next() {
        rank++;
        if (rank >= ids.length) {
            rank = 0;
            round++;
        }
        nowNanos += STEP_NANOS / ids.length;
        int step = round % FrameTemplates.STEPS;
        byte[] payload = payloads[step];
        System.arraycopy(ids[rank], 0, payload, templates.workerIdAt(step), ids[rank].length);
        if (decoder.decode(payload, 0, payload.length, frame) != null) {
            throw new IllegalStateException("a payload of the bench was refused");
        }
        planner.onFrame(0, frame.arrival(endpoints[rank], round, nowNanos));
    }
}
