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

    /** The same with each figure changed as from one distribution to another; one that is 0 there is left as it is. */
    public LatencySpread times(LatencySpread to, LatencySpread from) {
        return new LatencySpread(
                meanSeconds * ratio(to.meanSeconds, from.meanSeconds),
                p50Seconds * ratio(to.p50Seconds, from.p50Seconds),
                p90Seconds * ratio(to.p90Seconds, from.p90Seconds),
                p99Seconds * ratio(to.p99Seconds, from.p99Seconds));
    }

    /** The lesser of each figure and that of another, and no percentile above a higher one. */
    public LatencySpread atMost(LatencySpread other) {
        double p99 = Math.min(p99Seconds, other.p99Seconds);
        double p90 = Math.min(p99, Math.min(p90Seconds, other.p90Seconds));
        double p50 = Math.min(p90, Math.min(p50Seconds, other.p50Seconds));
        return new LatencySpread(Math.min(meanSeconds, other.meanSeconds), p50, p90, p99);
    }

    /** The greater of each figure and that of another, and no percentile below a lower one. */
    public LatencySpread atLeast(LatencySpread other) {
        double p50 = Math.max(p50Seconds, other.p50Seconds);
        double p90 = Math.max(p50, Math.max(p90Seconds, other.p90Seconds));
        double p99 = Math.max(p90, Math.max(p99Seconds, other.p99Seconds));
        return new LatencySpread(Math.max(meanSeconds, other.meanSeconds), p50, p90, p99);
    }

    private static double ratio(double to, double from) {
        return from > 0 ? to / from : 1;
    }
}
