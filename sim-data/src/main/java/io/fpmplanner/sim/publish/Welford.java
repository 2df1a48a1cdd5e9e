/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/**
 * Mean and population variance of a stream of numbers in one pass, without cancellation.
 *
 * <p>Not threadsafe. An accumulator that saw nothing has mean and variance 0, as the engines report for an empty batch.
 */
public final class Welford {
    /*
     * B. P. Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4 (1962):
     *   M_k = M_{k-1} + (x_k - M_{k-1}) / k,   S_k = S_{k-1} + (x_k - M_{k-1}) (x_k - M_k).
     */
    private long count;
    private double mean;
    private double sumOfSquaredDeviations;

    /** Forgets everything. */
    public void clear() {
        count = 0;
        mean = 0;
        sumOfSquaredDeviations = 0;
    }

    public void add(double value) {
        count++;
        double delta = value - mean;
        mean += delta / count;
        sumOfSquaredDeviations += delta * (value - mean);
    }

    public long count() {
        return count;
    }

    public double mean() {
        return mean;
    }

    /** Population variance (divided by n, not n - 1); &ge; 0. */
    public double populationVariance() {
        return count == 0 ? 0.0 : sumOfSquaredDeviations / count;
    }
}
