/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

/**
 * Latency since the previous tick as far as frames show it.
 *
 * @param tokens tokens generated in steps that were received
 * @param meanItlSeconds mean time between them, steps in which their requests stood still included; 0 without tokens
 * @param waits of those who stood last in a queue at an earlier tick and have begun now
 */
public record SeenLatency(long tokens, double meanItlSeconds, List<Wait> waits) {
    /** Nothing was seen. */
    public static final SeenLatency NONE = new SeenLatency(0, 0, List.of());

    public SeenLatency {
        waits = List.copyOf(waits);
    }

    /**
     * How long the last of a queue waited.
     *
     * @param sinceNanos the tick at which it stood last
     * @param seconds until the step began in which the engine took it up
     */
    public record Wait(long sinceNanos, double seconds) {}
}
