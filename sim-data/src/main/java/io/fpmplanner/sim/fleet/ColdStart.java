/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.workload.RandomVariates;

/**
 * How long a replica takes from being placed on its GPUs to taking requests: log-normal, and for some without end. Immutable.
 *
 * @param medianNanos median time; &ge; 0
 * @param sigma standard deviation of the logarithm; 0 for always the median, at most 3
 * @param neverReadyShare share of the starts that hold their GPUs and never become ready (image cannot be pulled, crash loop);
 *     in [0, 1]
 */
public record ColdStart(long medianNanos, double sigma, double neverReadyShare) {
    /** When a replica that never becomes ready is ready. */
    static final long NEVER = Long.MAX_VALUE;

    private static final long LONGEST_NANOS = 24L * 3600 * 1_000_000_000;

    public ColdStart {
        if (medianNanos < 0 || medianNanos > LONGEST_NANOS) {
            throw new IllegalArgumentException("a cold start takes between 0 s and a day, not " + medianNanos + " ns");
        }
        if (!(sigma >= 0 && sigma <= 3)) {
            throw new IllegalArgumentException("sigma must lie between 0 and 3, was " + sigma);
        }
        if (!(neverReadyShare >= 0 && neverReadyShare <= 1)) {
            throw new IllegalArgumentException("neverReadyShare must lie between 0 and 1, was " + neverReadyShare);
        }
    }

    /** Always the same time. */
    public static ColdStart fixed(long nanos) {
        return new ColdStart(nanos, 0, 0);
    }

    /** A duration in nanoseconds, or {@link #NEVER}. Takes the same number of variates whatever the outcome. */
    long draw(RandomVariates variates) {
        double gaussian = variates.gaussian();
        if (variates.uniform() < neverReadyShare) {
            return NEVER;
        }
        return (long) Math.min(LONGEST_NANOS, medianNanos * StrictMath.exp(sigma * gaussian));
    }
}
