/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/**
 * What makes a request a good one: both met, limits included. Immutable.
 *
 * @param ttftSeconds time to first token, queueing included; &gt; 0
 * @param itlSeconds mean time between tokens after the first; &gt; 0
 */
public record LatencyObjective(double ttftSeconds, double itlSeconds) {
    public LatencyObjective {
        requirePositive("ttftSeconds", ttftSeconds);
        requirePositive("itlSeconds", itlSeconds);
    }

    private static void requirePositive(String name, double seconds) {
        if (!(seconds > 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(name + " must be positive, was " + seconds);
        }
    }
}
