/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.workload.Request;

/** Told of the fate of requests, in order of time, on the thread that advances the fleet. */
public interface FleetListener {
    /** A request reached the pool it enters; it has not been routed yet. */
    default void onArrival(String poolId, Request request) {}

    /** The pool computed the first token. */
    default void onFirstToken(String poolId, Request request, long nowNanos) {}

    /** The pool computed the last token. */
    default void onFinished(String poolId, RequestLog log) {}

    /** The request was not accepted. */
    default void onRefused(String poolId, Request request, Refusal refusal, long nowNanos) {}

    /** The request went down with its replica. */
    default void onLost(String poolId, Request request, long nowNanos) {}
}
