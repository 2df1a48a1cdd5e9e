/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What all contenders reached on one recording.
 *
 * @param file the recording
 * @param steps steps in it
 * @param learners one entry a contender, in their order
 */
record RecordingResult(String file, int steps, List<LearnerResult> learners) {
    RecordingResult {
        learners = List.copyOf(learners);
    }

    LearnerResult of(Contender contender) {
        return learners.stream()
                .filter(learner -> learner.contender() == contender)
                .findFirst()
                .orElseThrow();
    }

    /** This planner's learner. */
    LearnerResult ours() {
        return of(Contender.FPM_PLANNER);
    }

    /** The baseline with the least mean error; empty if the recording was too short to tell. */
    Optional<LearnerResult> bestBaseline() {
        return learners.stream()
                .filter(learner -> learner.contender().isBaseline())
                .filter(learner -> learner.figures().total().mape().isPresent())
                .min(Comparator.comparingDouble(
                        learner -> learner.figures().total().mape().getAsDouble()));
    }

    /** Our mean error in units of the best baseline's: below 1 if ours is smaller; empty if there is none. */
    Optional<Double> ratioToBestBaseline() {
        return bestBaseline()
                .map(best -> ours().figures().total().mape().getAsDouble()
                        / best.figures().total().mape().getAsDouble());
    }

    Verdict verdict() {
        return Verdict.of(this);
    }
}
