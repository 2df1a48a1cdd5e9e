/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.TokenLengths;

/**
 * Traffic as the twin is asked about it.
 *
 * @param requestsPerSecond arrivals at the whole pool; above 0 and at most {@value #MAX_REQUESTS_PER_SECOND}
 * @param burstiness standard deviation of the time between arrivals over its mean: 1 for Poisson traffic; 0.1 to 10
 * @param inputTokens prompt lengths
 * @param outputTokens lengths of answers
 * @param cachedShare share of prompt tokens found in the prefix cache; 0 to {@value #MAX_CACHED_SHARE}
 */
public record Workload(
        double requestsPerSecond,
        double burstiness,
        TokenLengths inputTokens,
        TokenLengths outputTokens,
        double cachedShare) {
    /** Most arrivals that may be asked about. */
    public static final double MAX_REQUESTS_PER_SECOND = 1e6;

    /** Engines always compute a little of a prompt. */
    public static final double MAX_CACHED_SHARE = 0.99;

    private static final double LEAST_BURSTINESS = 0.1;
    private static final double MOST_BURSTINESS = 10;

    public Workload {
        if (!(requestsPerSecond > 0 && requestsPerSecond <= MAX_REQUESTS_PER_SECOND)) {
            throw new IllegalArgumentException("requestsPerSecond must be above 0 and at most "
                    + (long) MAX_REQUESTS_PER_SECOND + ", was " + requestsPerSecond);
        }
        if (!(burstiness >= LEAST_BURSTINESS && burstiness <= MOST_BURSTINESS)) {
            throw new IllegalArgumentException("burstiness must lie between " + LEAST_BURSTINESS + " and "
                    + MOST_BURSTINESS + ", was " + burstiness);
        }
        if (!(cachedShare >= 0 && cachedShare <= MAX_CACHED_SHARE)) {
            throw new IllegalArgumentException(
                    "cachedShare must lie between 0 and " + MAX_CACHED_SHARE + ", was " + cachedShare);
        }
    }

    /** Poisson arrivals without cache hits. */
    public static Workload poisson(double requestsPerSecond, TokenLengths inputTokens, TokenLengths outputTokens) {
        return new Workload(requestsPerSecond, 1, inputTokens, outputTokens, 0);
    }

    /** The same requests at another rate. */
    public Workload at(double newRequestsPerSecond) {
        return new Workload(newRequestsPerSecond, burstiness, inputTokens, outputTokens, cachedShare);
    }
}
