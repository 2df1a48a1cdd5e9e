/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

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

    private final InProcessFeed feed;

    private PathRow(int ranks) {
        feed = new InProcessFeed(1, ranks, STEP_NANOS / ranks);
    }

    static Figures run(Effort effort) throws IOException {
        Figures figures = new Figures();
        double first = 0;
        for (int full : RANKS) {
            int ranks = effort.of(full);
            PathRow row = new PathRow(ranks);
            long before = effort.scale() < 1 ? 0 : Math.max(LEAST_FRAMES_BEFORE, (long) ROUNDS_BEFORE * ranks);
            for (long i = 0; i < before; i++) {
                row.feed.next();
            }
            double nanos = row.measure(figures, full, effort.seconds());
            first = first == 0 ? nanos : first;
            figures.put(full + " ranks, times those of " + RANKS[0], nanos / first);
        }
        return new Pace(new FrameTemplates().payload(0)).into(figures);
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
                feed.next();
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
}
