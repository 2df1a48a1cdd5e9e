/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * What was counted for one rank since it was first seen, or for all ranks of a pool.
 *
 * @param framesReceived accepted frames of every kind
 * @param stepsLearned frames that trained the model
 * @param repeatedSteps frames with the time of a step that another rank of the engine had reported; of those ranks only the
 *     one with most work trains the model
 * @param heartbeats frames with no wall time and nothing in any counter
 * @param dummySteps frames with a wall time and nothing in any counter: padding forwards of attention data parallelism
 * @param untimedSteps frames with work but wall time 0; windowed, not learned
 * @param implausible frames with values no engine produces; neither windowed nor learned
 * @param framesLost gaps in the sequence; what the producer dropped before numbering cannot be seen
 * @param restarts times the sequence fell back, each a new incarnation
 */
public record RankCounters(
        long framesReceived,
        long stepsLearned,
        long repeatedSteps,
        long heartbeats,
        long dummySteps,
        long untimedSteps,
        long implausible,
        long framesLost,
        long restarts) {
    static final RankCounters NONE = new RankCounters(0, 0, 0, 0, 0, 0, 0, 0, 0);

    RankCounters plus(RankCounters other) {
        return new RankCounters(
                framesReceived + other.framesReceived,
                stepsLearned + other.stepsLearned,
                repeatedSteps + other.repeatedSteps,
                heartbeats + other.heartbeats,
                dummySteps + other.dummySteps,
                untimedSteps + other.untimedSteps,
                implausible + other.implausible,
                framesLost + other.framesLost,
                restarts + other.restarts);
    }
}
