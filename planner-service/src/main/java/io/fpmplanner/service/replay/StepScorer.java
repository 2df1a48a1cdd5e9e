/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepWorkload;
import java.util.EnumMap;
import java.util.Map;

/** Scores the prediction for each step that a pool is about to learn from. Not threadsafe. */
final class StepScorer implements StepListener {
    private final ErrorSummary all = new ErrorSummary();
    private final Map<StepRegime, ErrorSummary> byRegime = new EnumMap<>(StepRegime.class);
    private final Map<StepRegime, Long> framesByRegime = new EnumMap<>(StepRegime.class);
    private long frames;

    @Override
    public void beforeLearning(StepTimeModel model, StepWorkload step, double wallTimeSeconds) {
        StepRegime regime = step.regime();
        framesByRegime.merge(regime, 1L, Long::sum);
        if (frames++ < ErrorSummary.SCORED_FROM || model.isCold()) {
            return;
        }
        double error = Math.abs(model.predictSeconds(step) / wallTimeSeconds - 1);
        boolean inside = wallTimeSeconds >= model.predictQuantileSeconds(step, 0.05)
                && wallTimeSeconds <= model.predictQuantileSeconds(step, 0.95);
        all.add(error, inside);
        byRegime.computeIfAbsent(regime, key -> new ErrorSummary()).add(error, inside);
    }

    ErrorSummary.Score total() {
        return all.score(frames);
    }

    /** Only the regimes that occurred. */
    Map<StepRegime, ErrorSummary.Score> regimes() {
        Map<StepRegime, ErrorSummary.Score> scores = new EnumMap<>(StepRegime.class);
        framesByRegime.forEach((regime, count) -> scores.put(
                regime, byRegime.getOrDefault(regime, new ErrorSummary()).score(count)));
        return scores;
    }
}
