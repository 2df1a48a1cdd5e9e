/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What one rank counts; meant as in {@link RankCounters}. */
final class RankCount {
    long framesReceived;
    long stepsLearned;
    long repeatedSteps;
    long heartbeats;
    long dummySteps;
    long untimedSteps;
    long implausible;
    long restarts;

    /** As it is now, with the gaps in the sequence, which are counted elsewhere. */
    RankCounters view(long framesLost) {
        return new RankCounters(
                framesReceived,
                stepsLearned,
                repeatedSteps,
                heartbeats,
                dummySteps,
                untimedSteps,
                implausible,
                framesLost,
                restarts);
    }
}
