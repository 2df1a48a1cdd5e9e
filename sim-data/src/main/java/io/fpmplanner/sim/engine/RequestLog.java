/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.Request;
import java.util.OptionalDouble;

/**
 * What became of a finished request. Immutable; times on the simulation's clock.
 *
 * @param request the request
 * @param firstTokenNanos when its first token was there; &ge; arrival
 * @param finishNanos when its last token was there; &ge; firstTokenNanos
 */
public record RequestLog(Request request, long firstTokenNanos, long finishNanos) {
    /** Time to first token from arrival at the fleet, queueing included, seconds. */
    public double ttftSeconds() {
        return (firstTokenNanos - request.arrivalNanos()) * 1e-9;
    }

    /** Mean time between tokens after the first, seconds; empty for an answer of one token. */
    public OptionalDouble itlSeconds() {
        int gaps = request.outputTokens() - 1;
        return gaps == 0 ? OptionalDouble.empty() : OptionalDouble.of((finishNanos - firstTokenNanos) * 1e-9 / gaps);
    }
}
