/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;

/** How unevenly requests are spread over the ranks of a pool, smoothed over ticks. Not threadsafe. */
final class Imbalance {
    /*
     * If each request goes to any rank alike, the number inside a rank is about Poisson: its variance is its mean. In turn
     * or to the least loaded, the ranks differ by little more than one request. Ranks with next to nothing inside look
     * the same under any routing and say nothing.
     */
    private static final double RATE = 0.03;
    private static final double LEAST_MEAN = 0.3;
    private static final int FEWEST_TICKS = 10;

    private double variance;
    private double mean;
    private int ticks;

    /** Takes the requests inside each live rank at a tick: their number, sum and sum of squares. */
    void add(int ranks, double sum, double squares) {
        if (ranks < 2 || sum < LEAST_MEAN * ranks) {
            return;
        }
        ticks = Math.min(ticks + 1, Integer.MAX_VALUE - 1);
        double rate = Math.max(RATE, 1.0 / ticks);
        double average = sum / ranks;
        variance += rate * (Math.max(0, (squares - sum * average) / (ranks - 1)) - variance);
        mean += rate * (average - mean);
    }

    /** 0 if requests are spread as evenly as whole numbers can be, 1 if as by chance; empty while it cannot be told. */
    OptionalDouble value() {
        double share = mean - Math.floor(mean);
        double even = share * (1 - share);
        return ticks < FEWEST_TICKS
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, (variance - even) / (mean - even)));
    }
}
