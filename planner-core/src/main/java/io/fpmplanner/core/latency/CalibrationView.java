/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import java.util.Optional;

/**
 * How predictions for a pool have turned out; each empty while nothing was scored.
 *
 * @param itlFromFrames time between tokens of each second as the next second's frames show it
 * @param queueWaitFromFrames wait of who queued last at a tick, as the frames then show it, against the predicted mean
 *     wait; its shares within percentiles say nothing
 * @param ttftObserved time to first token as posted
 * @param itlObserved mean time between tokens of a request as posted, against the predicted mean over tokens
 * @param observationsRefused posted ones too old to know what was predicted then
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
