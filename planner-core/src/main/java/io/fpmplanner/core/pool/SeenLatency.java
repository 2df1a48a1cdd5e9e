/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

/**
 * Latency since the previous tick as far as frames show it.
 *
 * @param tokens tokens generated in steps that were received
 * @param meanItlSeconds mean time between them, steps in which their requests stood still and the usual gap between steps included; 0 without tokens
 * @param within how many of them came within what was predicted
 * @param waits of those who stood last in a queue at an earlier tick and have begun now
 */
public record SeenLatency(long tokens, double meanItlSeconds, Within within, List<Wait> waits) {
    /** Nothing was seen. */
    public static final SeenLatency NONE = new SeenLatency(0, 0, new Within(0, 0, 0), List.of());

    public SeenLatency {
        waits = List.copyOf(waits);
    }

    /**
     * Shares of the tokens that came within a predicted percentile, 0 to 1; 0 where none was predicted.
     *
     * @param p50 within the median
     * @param p90 within the 90th percentile
     * @param p99 within the 99th percentile
     */
    public record Within(double p50, double p90, double p99) {}

    /**
     * How long the last of a queue waited.
     *
     * @param sinceNanos the tick at which it stood last
     * @param seconds until the step began in which the engine took it up
     */
    public record Wait(long sinceNanos, double seconds) {}
}
