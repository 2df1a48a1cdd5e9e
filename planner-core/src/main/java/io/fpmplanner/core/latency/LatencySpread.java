/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * Distribution of a latency over ranks, requests, phases and the model's uncertainty, seconds.
 *
 * @param meanSeconds mean
 * @param p50Seconds half of the requests or tokens see less
 * @param p90Seconds nine in ten see less
 * @param p99Seconds 99 in a hundred see less
 */
public record LatencySpread(double meanSeconds, double p50Seconds, double p90Seconds, double p99Seconds) {
    /** The same with all multiplied by a factor above 0. */
    public LatencySpread times(double factor) {
        return new LatencySpread(factor * meanSeconds, factor * p50Seconds, factor * p90Seconds, factor * p99Seconds);
    }

    /** The same with each figure changed as from one distribution to another. */
    public LatencySpread times(LatencySpread to, LatencySpread from) {
        return new LatencySpread(
                meanSeconds * to.meanSeconds / from.meanSeconds,
                p50Seconds * to.p50Seconds / from.p50Seconds,
                p90Seconds * to.p90Seconds / from.p90Seconds,
                p99Seconds * to.p99Seconds / from.p99Seconds);
    }
}
