/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * Latency objective of a pool.
 *
 * @param ttftSeconds time to first token, queue wait included; &gt; 0
 * @param itlSeconds time between tokens of one request; &gt; 0
 * @param attainment share of requests that must meet both; in (0, 1]
 */
public record SloTarget(double ttftSeconds, double itlSeconds, double attainment) {
    public SloTarget {
        Checks.positive("ttftSeconds", ttftSeconds);
        Checks.positive("itlSeconds", itlSeconds);
        if (!(attainment > 0 && attainment <= 1)) {
            throw new IllegalArgumentException(
                    "attainment must lie above 0 and at most at 1, 0.95 for 95 %, was " + attainment);
        }
    }
}
