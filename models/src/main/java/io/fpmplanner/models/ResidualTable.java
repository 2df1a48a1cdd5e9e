/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;

/** Small multiplicative corrections of the fit, one a fine bucket. Not threadsafe. */
final class ResidualTable {
    /*
     * Catches what smooth terms cannot: CUDA-graph stairs, tile quantisation, expert imbalance of a batch size, and
     * slow states of the engine that no feature shows. Each cell is the median of its last WINDOW values of
     * log(measured / fitted), pulled to 0 while it holds few. A median and not a mean, because the errors are skewed:
     * decode of a DP worker jumps up by 40 % in one step of four, which a mean would charge to all four (median error
     * over the recordings 3.5 % with it, 5.4 % with an exponential average of the same memory). A cell reaches e^+-3,
     * enough for prefill chunks whose time an engine books on the next step.
     */
    private static final int WINDOW = 15;

    private static final double LARGEST = 3;
    private static final double PRIOR_FRAMES = 1;

    private final SortedWindows recent;
    private final double[] factors;

    ResidualTable(int buckets) {
        recent = new SortedWindows(buckets, WINDOW);
        factors = new double[buckets];
        Arrays.fill(factors, 1);
    }

    /** What to multiply the fit by, one a bucket; live, not a copy. */
    double[] factors() {
        return factors;
    }

    /** Learns log(measured / fitted) of one frame. */
    void update(int bucket, double logRatio) {
        recent.add(bucket, Math.max(-LARGEST, Math.min(LARGEST, logRatio)));
        int size = recent.size(bucket);
        factors[bucket] = Math.exp(recent.median(bucket) * size / (size + PRIOR_FRAMES));
    }

    /** After a change of the engine: what is known counts as one frame. */
    void condense() {
        recent.condense();
    }

    /** Frames a bucket remembers; 0 if it was never met. */
    int size(int bucket) {
        return recent.size(bucket);
    }
}
