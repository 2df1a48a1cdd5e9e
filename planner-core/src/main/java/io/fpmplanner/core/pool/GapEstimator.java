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
     * bursts (polled engines, replays without stamps) come sooner after each other than their steps can have taken; the
     * others then wait for the next poll, and their stamps mean as little. A few of the former, and nothing is told.
     */
    private static final int SAMPLES = 512;
    private static final int FEWEST = 16;
    private static final long LONGEST_NANOS = 10_000_000_000L;
    /** Frames of a hundred that may come in less than half their step's time. */
    private static final int MOST_EARLY_PERCENT = 5;

    private final long[] samples = new long[SAMPLES];
    private final long[] sorted = new long[SAMPLES];
    private final boolean[] early = new boolean[SAMPLES];
    private int earlyCount;
    private int next;
    private int size;

    /**
     * Adds one pair of back-to-back steps.
     *
     * @param elapsedNanos between the arrivals of the two frames
     * @param wallNanos of the second step, &gt; 0
     */
    void add(long elapsedNanos, long wallNanos) {
        samples[next] = Math.max(-LONGEST_NANOS, Math.min(LONGEST_NANOS, elapsedNanos - wallNanos));
        earlyCount -= early[next] ? 1 : 0;
        early[next] = elapsedNanos < wallNanos / 2;
        earlyCount += early[next] ? 1 : 0;
        next = (next + 1) % SAMPLES;
        size = Math.min(SAMPLES, size + 1);
    }

    /** The median gap, &ge; 0; 0 while it cannot be told. */
    double medianSeconds() {
        if (size < FEWEST || 100 * earlyCount > MOST_EARLY_PERCENT * size) {
            return 0;
        }
        System.arraycopy(samples, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
        return Math.max(0, sorted[size / 2] / 1e9);
    }
}
