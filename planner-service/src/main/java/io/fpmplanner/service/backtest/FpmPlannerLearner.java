/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimePredictor;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The learner of this planner, as the service runs it. */
final class FpmPlannerLearner implements StepLearner {
    /** A planner takes a snapshot once a tick; sums are predicted from snapshots of up to so many steps ago. */
    private static final int STEPS_PER_SNAPSHOT = 50;

    private final StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
    private @Nullable StepTimePredictor predictor;
    private int stepsSinceSnapshot;
    private long driftResets;

    @Override
    public OptionalDouble predictSeconds(StepWorkload step) {
        return model.isCold() ? OptionalDouble.empty() : OptionalDouble.of(model.predictSeconds(step));
    }

    @Override
    public OptionalDouble meanSeconds(StepWorkload step) {
        if (model.isCold()) {
            return OptionalDouble.empty();
        }
        if (predictor == null || stepsSinceSnapshot >= STEPS_PER_SNAPSHOT) {
            StepTimeSnapshot snapshot = model.snapshot();
            predictor = snapshot.predictor();
            driftResets = snapshot.report().driftResets();
            stepsSinceSnapshot = 0;
        }
        return OptionalDouble.of(predictor.meanSeconds(step));
    }

    @Override
    public OptionalDouble quantileSeconds(StepWorkload step, double probability) {
        return model.isCold()
                ? OptionalDouble.empty()
                : OptionalDouble.of(model.predictQuantileSeconds(step, probability));
    }

    /** As of the last snapshot. */
    @Override
    public long driftResets() {
        return driftResets;
    }

    @Override
    public void observe(StepWorkload step, double wallTimeSeconds) {
        model.observe(step, wallTimeSeconds);
        stepsSinceSnapshot++;
    }
}
