/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.workload.Request;
import java.util.OptionalDouble;

/**
 * The whole story of one request as its client saw it. Immutable; times on the simulation's clock.
 *
 * @param poolId the pool it entered
 * @param request the request, with its time of arrival
 * @param outcome what became of it
 * @param firstTokenNanos when its first token was there; {@link #NONE} if it never was
 * @param endNanos when its last token was there, or when it was refused or lost; {@link #NONE} while unfinished
 */
public record RequestRecord(String poolId, Request request, Outcome outcome, long firstTokenNanos, long endNanos) {
    /** A time that never came. */
    public static final long NONE = Long.MIN_VALUE;

    /** What can become of a request. */
    public enum Outcome {
        /** All its tokens are there. */
        FINISHED,
        /** Not accepted. */
        REFUSED,
        /** Went down with its replica. */
        LOST,
        /** Still waiting or running. */
        UNFINISHED
    }

    /** Time to first token, queueing included, seconds; empty if there was none. */
    public OptionalDouble ttftSeconds() {
        return firstTokenNanos == NONE
                ? OptionalDouble.empty()
                : OptionalDouble.of((firstTokenNanos - request.arrivalNanos()) * 1e-9);
    }

    /** (end - first token) / (output tokens - 1), seconds; empty for one token and for requests that did not finish. */
    public OptionalDouble itlSeconds() {
        int gaps = request.outputTokens() - 1;
        return outcome != Outcome.FINISHED || gaps == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((endNanos - firstTokenNanos) * 1e-9 / gaps);
    }
}
