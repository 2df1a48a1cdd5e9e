/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Arrays;

/**
 * Median time between back-to-back steps that their wall times do not hold: scheduling, sampling and other host work
 * on engines that report GPU time. Not threadsafe.
 */
final class GapEstimator {
    /*
     * From arrival stamps only, hence a median: transport jitter is symmetric, stalls are rare. Frames that arrive in
     * bursts (polled engines, replays without stamps) give elapsed times near 0, i.e. negative gaps, which pull the
     * median below 0; that reads as "cannot be told" and counts as no gap.
     */
    private static final int SAMPLES = 512;
    private static final int FEWEST = 16;
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final long[] samples = new long[SAMPLES];
    private final long[] sorted = new long[SAMPLES];
    private int next;
    private int size;

    void add(long gapNanos) {
        samples[next] = Math.max(-LONGEST_NANOS, Math.min(LONGEST_NANOS, gapNanos));
        next = (next + 1) % SAMPLES;
        size = Math.min(SAMPLES, size + 1);
    }

    double medianSeconds() {
        if (size < FEWEST) {
            return 0;
        }
        System.arraycopy(samples, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
        return Math.max(0, sorted[size / 2] / 1e9);
    }
}
