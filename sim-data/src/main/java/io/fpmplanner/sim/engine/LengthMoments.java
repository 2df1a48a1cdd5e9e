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

    void clear() {
        count = 0;
        sum = 0;
        sumOfSquares = 0;
    }

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

    /** Both together; one of the two itself where the other is empty. */
    LengthMoments plus(LengthMoments other) {
        if (other.count == 0) {
            return this;
        }
        if (count == 0) {
            return other;
        }
        LengthMoments both = new LengthMoments();
        both.count = count + other.count;
        both.sum = sum + other.sum;
        both.sumOfSquares = sumOfSquares + other.sumOfSquares;
        return both;
    }

    long count() {
        return count;
    }

    long sum() {
        return sum;
    }

    double populationVariance() {
        return populationVariance(count, sum, sumOfSquares);
    }

    static double populationVariance(long count, long sum, long sumOfSquares) {
        if (count < 2) {
            return 0.0;
        }
        double mean = (double) sum / count;
        return Math.max(0.0, (double) sumOfSquares / count - mean * mean);
    }
}
