/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Small multiplicative corrections of the fit, one a fine bucket. Not threadsafe; copies are independent. */
final class ResidualTable {
    /*
     * Catches what smooth terms cannot: CUDA-graph stairs, tile quantisation, expert imbalance of a batch size. Each
     * cell is an average of log(measured / fitted), pulled to 0 while it holds few frames. Steps are clipped so that
     * a straggler moves a cell by at most a tenth; a cell stays within e^+-1, so nothing it says can run away.
     */
    private static final double RATE = 0.05;

    private static final double LARGEST_STEP = 0.1;
    private static final double LARGEST = 1;
    private static final double PRIOR_FRAMES = 4;

    private final double[] logs;
    private final double[] factors;
    private final int[] counts;

    ResidualTable(int buckets) {
        this(new double[buckets], new double[buckets], new int[buckets]);
        java.util.Arrays.fill(factors, 1);
    }

    private ResidualTable(double[] logs, double[] factors, int[] counts) {
        this.logs = logs;
        this.factors = factors;
        this.counts = counts;
    }

    ResidualTable copy() {
        return new ResidualTable(logs.clone(), factors.clone(), counts.clone());
    }

    double factor(int bucket) {
        return factors[bucket];
    }

    /** Learns log(measured / fitted) of one frame. */
    void update(int bucket, double logRatio) {
        int count = ++counts[bucket];
        double step = Math.max(RATE, 1.0 / (count + 1)) * (logRatio - logs[bucket]);
        logs[bucket] = clip(logs[bucket] + clip(step, LARGEST_STEP), LARGEST);
        factors[bucket] = Math.exp(logs[bucket] * count / (count + PRIOR_FRAMES));
    }

    /** After a change of the engine: what is known counts as one frame. */
    void discount() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Math.min(counts[i], 1);
        }
    }

    private static double clip(double value, double limit) {
        return Math.max(-limit, Math.min(limit, value));
    }
}
