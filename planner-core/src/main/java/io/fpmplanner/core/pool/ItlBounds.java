/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * Predicted percentiles of the time between tokens, to count what then comes within them.
 *
 * @param p50 seconds; NaN if not predicted
 * @param p90 seconds; NaN likewise
 * @param p99 seconds; NaN likewise
 */
public record ItlBounds(double p50, double p90, double p99) {
    /** Nothing was predicted. */
    public static final ItlBounds NONE = new ItlBounds(Double.NaN, Double.NaN, Double.NaN);
}
