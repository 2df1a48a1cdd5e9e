/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import io.fpmplanner.models.StepRegime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What replaying one recording showed.
 *
 * @param file the recording
 * @param total over all its steps
 * @param regimes the same for each regime that occurred
 * @param itl how the predicted time between tokens held; empty if nothing decoded or too little was learned
 * @param microsPerFrame time a frame took from planner to learned model, microseconds; empty without frames
 */
record RecordingScore(
        String file,
        ErrorSummary.Score total,
        Map<StepRegime, ErrorSummary.Score> regimes,
        Optional<ItlScore> itl,
        OptionalDouble microsPerFrame) {
    RecordingScore {
        regimes = Map.copyOf(regimes);
    }
}
