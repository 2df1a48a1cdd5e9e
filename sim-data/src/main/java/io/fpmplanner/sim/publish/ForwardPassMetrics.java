/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import org.jspecify.annotations.Nullable;

/**
 * One forward pass of one rank, as engines report it. Immutable.
 *
 * <p>Like the engines' own structs it checks nothing, so that a test can also publish what a broken engine would.
 *
 * @param workerId identity of the engine; may be empty
 * @param dpRank data-parallel rank, &ge; 0
 * @param counterId sequence number, stamped by the publisher when the record is sent; whatever is given is overwritten
 * @param timingScope what {@code wallTimeSeconds} spans, for example {@code model_step_cuda}; null where the engine does
 *     not say (the key is then left out of the payload)
 * @param wallTimeSeconds duration of the step; 0.0 in a heartbeat
 * @param scheduled what the step computed
 * @param queued what waited when the record was made
 */
public record ForwardPassMetrics(
        String workerId,
        int dpRank,
        long counterId,
        @Nullable String timingScope,
        double wallTimeSeconds,
        ScheduledRequests scheduled,
        QueuedRequests queued) {

    /** The all-zero record that says only "this rank is alive". */
    public static ForwardPassMetrics heartbeat(String workerId, int dpRank) {
        return new ForwardPassMetrics(workerId, dpRank, 0, null, 0.0, ScheduledRequests.NONE, QueuedRequests.NONE);
    }

    /** The same record under another sequence number. */
    public ForwardPassMetrics withCounterId(long newCounterId) {
        return new ForwardPassMetrics(workerId, dpRank, newCounterId, timingScope, wallTimeSeconds, scheduled, queued);
    }
}
