/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import java.util.Arrays;

/**
 * Quantiles of a latency, real and simulated, seconds. Immutable.
 *
 * @param realP50Seconds median of the real requests
 * @param simulatedP50Seconds median of the simulated ones
 * @param realP90Seconds 90th percentile of the real requests
 * @param simulatedP90Seconds 90th percentile of the simulated ones
 */
public record Deviation(
        double realP50Seconds, double simulatedP50Seconds, double realP90Seconds, double simulatedP90Seconds) {
    static Deviation of(double[] real, double[] simulated) {
        Arrays.sort(real);
        Arrays.sort(simulated);
        return new Deviation(
                quantile(real, 0.5), quantile(simulated, 0.5), quantile(real, 0.9), quantile(simulated, 0.9));
    }

    private static double quantile(double[] sorted, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }

    /** Simulated over real median, less 1. */
    public double atMedian() {
        return simulatedP50Seconds / realP50Seconds - 1;
    }

    /** Simulated over real 90th percentile, less 1. */
    public double atP90() {
        return simulatedP90Seconds / realP90Seconds - 1;
    }
}
