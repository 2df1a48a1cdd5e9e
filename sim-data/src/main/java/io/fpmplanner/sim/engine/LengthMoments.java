/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Count, sum and population variance of token counts that come and go. Not threadsafe.
 *
 * <p>A queue may be thousands long and is reported with each step, so it is not summed anew. Integers keep the sums exact;
 * lengths below 2^20 and counts below 2^20 cannot overflow them.
 */
final class LengthMoments {
    private long count;
    private long sum;
    private long sumOfSquares;

    void add(long tokens) {
        count++;
        sum += tokens;
        sumOfSquares += tokens * tokens;
    }

    void remove(long tokens) {
        count--;
        sum -= tokens;
        sumOfSquares -= tokens * tokens;
    }

    long count() {
        return count;
    }

    long sum() {
        return sum;
    }

    double populationVariance() {
        if (count < 2) {
            return 0.0;
        }
        double mean = (double) sum / count;
        return Math.max(0.0, (double) sumOfSquares / count - mean * mean);
    }
}
