/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import org.apache.commons.math3.distribution.NormalDistribution;

/** Running quantiles of log(measured / predicted). Not threadsafe; copies are independent. */
final class LogQuantiles {
    /*
     * Each tracked quantile follows the gradient of its pinball loss (adaptive conformal inference: Gibbs and Candes
     * 2021, "Adaptive Conformal Inference Under Distribution Shift"): down by rate * q when a value falls below it,
     * up by rate * (1 - q)... so that its long-run coverage is right whatever the values do. The rate is a share of
     * the typical size of the errors, larger at the start. Between tracked levels the quantile is interpolated on a
     * normal probability scale, which makes it exact for log-normal errors.
     */
    private static final double[] LEVELS = {0.005, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.995};

    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final double[] NORMAL_AT_LEVELS = java.util.Arrays.stream(LEVELS)
            .map(NORMAL::inverseCumulativeProbability)
            .toArray();
    private static final double INITIAL_SPREAD = 0.1;
    private static final double CLIP = 2;
    private static final double RATE = 0.05;

    private final double[] values;
    private double spread;
    private long count;

    LogQuantiles() {
        this(new double[LEVELS.length], INITIAL_SPREAD, 0);
        for (int i = 0; i < values.length; i++) {
            values[i] = NORMAL_AT_LEVELS[i] * INITIAL_SPREAD;
        }
    }

    private LogQuantiles(double[] values, double spread, long count) {
        this.values = values;
        this.spread = spread;
        this.count = count;
    }

    LogQuantiles copy() {
        return new LogQuantiles(values.clone(), spread, count);
    }

    static double normalQuantile(double probability) {
        return NORMAL.inverseCumulativeProbability(probability);
    }

    void update(double logRatio) {
        count++;
        double error = Math.max(-CLIP, Math.min(CLIP, logRatio));
        double size = Math.min(Math.abs(error), 4 * spread);
        spread += Math.max(0.02, 1.0 / (count + 10)) * (size - spread);
        double rate = Math.max(RATE, 1.0 / (1 + 0.2 * count)) * Math.max(spread, 1e-4) * 2;
        for (int i = 0; i < values.length; i++) {
            values[i] += rate * (error > values[i] ? LEVELS[i] : LEVELS[i] - 1);
        }
        for (int i = 1; i < values.length; i++) {
            values[i] = Math.max(values[i], values[i - 1]);
        }
    }

    /** The {@code probability} quantile of log(measured / predicted); {@code normal} is its normal quantile. */
    double at(double normal) {
        int last = values.length - 1;
        int i = 1;
        while (i < last && NORMAL_AT_LEVELS[i] < normal) {
            i++;
        }
        double low = NORMAL_AT_LEVELS[i - 1];
        double share = (normal - low) / (NORMAL_AT_LEVELS[i] - low);
        return values[i - 1] + share * (values[i] - values[i - 1]);
    }
}
