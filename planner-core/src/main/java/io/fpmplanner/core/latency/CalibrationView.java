/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Optional;

/**
 * How predictions for a pool have turned out; each empty while nothing was scored.
 *
 * @param itlFromFrames time between the tokens of each second as its frames show it, against what was predicted before
 * @param queueWaitFromFrames wait of who queued last at a tick, as the frames then show it, against the predicted mean
 *     wait; without percentiles. Who finds a queue waits longer than the mean, which shows as bias while queues are short
 * @param ttftObserved time to first token as posted
 * @param itlObserved mean time between tokens of a request as posted, against the predicted mean over tokens; without
 *     percentiles
 * @param observationsRefused posted ones from before anything that is remembered to have been predicted, or from the future
 */
public record CalibrationView(
        Optional<PredictionScore> itlFromFrames,
        Optional<PredictionScore> queueWaitFromFrames,
        Optional<PredictionScore> ttftObserved,
        Optional<PredictionScore> itlObserved,
        long observationsRefused) {
    /** Nothing was scored. */
    public static final CalibrationView NONE =
            new CalibrationView(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 0);
}
