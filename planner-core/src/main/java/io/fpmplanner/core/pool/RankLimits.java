/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * How many ranks a pool keeps, so that a flood of worker ids costs no more memory than this.
 *
 * @param max ranks at most; 1 to 1,000,000
 * @param maxPerEndpoint ranks whose frames come from one endpoint at most, so that one sender cannot crowd out the others;
 *     1 to 1,000,000. All workers behind a broker of an event plane share one endpoint
 */
public record RankLimits(int max, int maxPerEndpoint) {
    private static final int HIGHEST = 1_000_000;

    public RankLimits {
        check("max", max);
        check("maxPerEndpoint", maxPerEndpoint);
    }

    private static void check(String field, int value) {
        if (value < 1 || value > HIGHEST) {
            throw new IllegalArgumentException(field + " must lie between 1 and " + HIGHEST + ", was " + value);
        }
    }

    /** 8192 ranks, half of them from one endpoint. */
    public static RankLimits defaults() {
        return new RankLimits(8192, 4096);
    }
}
