/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepWorkload;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * Dynamo's linear regression for aggregated workers (Python planner up to version 1.2): one fit for all steps, on the prefill
 * tokens and the context that is decoded over.
 */
final class AggregatedOls implements StepLearner {
    private final Regression all =
            new Regression(SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity()), OrdinaryLeastSquares.STRICT);

    @Override
    public OptionalDouble predictSeconds(StepWorkload step) {
        return all.seconds(step.prefillTokens(), step.decodeKvTokens());
    }

    @Override
    public void observe(StepWorkload step, double wallTimeSeconds) {
        all.add(step.prefillTokens(), step.decodeKvTokens(), wallTimeSeconds);
    }
}
