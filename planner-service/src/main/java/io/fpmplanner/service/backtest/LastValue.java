/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepWorkload;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Predicts that a step takes as long as the last one of its regime. */
final class LastValue implements StepLearner {
    private final Map<StepRegime, OptionalDouble> last = new EnumMap<>(StepRegime.class);

    @Override
    public OptionalDouble predictSeconds(StepWorkload step) {
        return last.getOrDefault(step.regime(), OptionalDouble.empty());
    }

    @Override
    public void observe(StepWorkload step, double wallTimeSeconds) {
        last.put(step.regime(), OptionalDouble.of(wallTimeSeconds));
    }
}
