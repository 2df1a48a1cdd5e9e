/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one contender reached on one recording.
 *
 * @param contender who
 * @param asRecorded what it predicted on the recording as it is
 * @param figures what that comes to
 * @param microsPerFrame time to predict and learn a step, microseconds; empty without steps
 * @param experiments how it fared when something changed
 */
record LearnerResult(
        Contender contender,
        Predictions asRecorded,
        Figures figures,
        OptionalDouble microsPerFrame,
        Experiments experiments) {

    /**
     * How a contender fared when something changed; empty if the recording is too short, or if not asked for.
     *
     * @param coldStart the recording begins, and the contender knows nothing
     * @param slowerClock every time a quarter longer from the middle on
     * @param switched another recording follows
     * @param noise noise and stragglers in what is learned from
     */
    record Experiments(
            Optional<Recovery> coldStart,
            Optional<SlowerClock> slowerClock,
            Optional<Switch> switched,
            Optional<Noise> noise) {}

    /** Predictions on the slowed recording, and the recovery from its change. */
    record SlowerClock(Predictions predictions, Recovery recovery) {}

    /** The recording that followed, and the recovery on it. */
    record Switch(String to, Recovery recovery) {}

    /**
     * Judged by the times before noise was added.
     *
     * @param mape mean absolute relative error
     * @param added by how much it is above the error without noise
     */
    record Noise(double mape, double added) {}
}
