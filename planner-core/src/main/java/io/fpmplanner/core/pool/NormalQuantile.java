/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** Quantiles of the standard normal distribution. */
final class NormalQuantile {
    /*
     * The rational approximation 26.2.23 of Abramowitz and Stegun, Handbook of Mathematical Functions (1964): absolute
     * error below 4.5e-4, which is far below what is known of the spread of lengths.
     */
    private NormalQuantile() {}

    /** @param probability in (0, 1) */
    static double of(double probability) {
        double tail = Math.min(probability, 1 - probability);
        double t = Math.sqrt(-2 * Math.log(Math.max(tail, Double.MIN_NORMAL)));
        double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
        double denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
        double z = t - numerator / denominator;
        return probability < 0.5 ? -z : z;
    }
}
