/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;

/** Told of what an engine did, in order of time, on the thread that advances the engine. */
public interface EngineListener {
    /** A step ended at {@code endNanos}; it began {@code metrics.wallTimeSeconds()} before. */
    default void onStep(ForwardPassMetrics metrics, long endNanos) {}

    /** The first token of a request is there. A prefill-only engine is done with the request thereby. */
    default void onFirstToken(Request request, long nowNanos) {}

    /** The last token of a request is there. Not called by prefill-only engines, unless one token was all that was asked. */
    default void onFinished(RequestLog log) {}
}
