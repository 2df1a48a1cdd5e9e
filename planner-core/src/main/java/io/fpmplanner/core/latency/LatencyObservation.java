/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.OptionalDouble;

/**
 * What one request saw, as somebody measured it.
 *
 * @param arrivalNanos when it came, nanoseconds since the Unix epoch on the caller's clock
 * @param ttftSeconds its time to first token, &gt; 0; empty if not measured
 * @param itlSeconds its mean time between tokens, &gt; 0; empty if not measured
 */
public record LatencyObservation(long arrivalNanos, OptionalDouble ttftSeconds, OptionalDouble itlSeconds) {
    /** The first moment at which it could be known: that of the first token. */
    long knownNanos() {
        return arrivalNanos + (long) (1e9 * ttftSeconds.orElse(0));
    }
}
