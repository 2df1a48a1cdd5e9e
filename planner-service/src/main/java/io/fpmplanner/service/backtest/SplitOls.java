/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepWorkload;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * Dynamo's linear regressions (Python planner up to version 1.2), one for each regime: prefill on its tokens, decode on
 * requests and context, mixed steps on prefill tokens and context as in {@link AggregatedOls}.
 *
 * <p>Dynamo itself uses the first two for the pools of a disaggregated pair, and the third for aggregated workers.
 */
final class SplitOls implements StepLearner {
    private final OrdinaryLeastSquares prefill = OrdinaryLeastSquares.strict(SampleGrid.ofOneAxis());
    private final OrdinaryLeastSquares decode =
            OrdinaryLeastSquares.clampingFirst(SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity()));
    private final OrdinaryLeastSquares mixed =
            OrdinaryLeastSquares.strict(SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity()));

    @Override
    public OptionalDouble predictSeconds(StepWorkload step) {
        return switch (step.regime()) {
            case PREFILL -> prefill.seconds(step.prefillTokens(), 0);
            case DECODE -> decode.seconds(step.decodeRequests(), step.decodeKvTokens());
            case MIXED -> mixed.seconds(step.prefillTokens(), step.decodeKvTokens());
        };
    }

    @Override
    public void observe(StepWorkload step, double wallTimeSeconds) {
        switch (step.regime()) {
            case PREFILL -> prefill.add(step.prefillTokens(), 0, wallTimeSeconds);
            case DECODE -> decode.add(step.decodeRequests(), step.decodeKvTokens(), wallTimeSeconds);
            case MIXED -> mixed.add(step.prefillTokens(), step.decodeKvTokens(), wallTimeSeconds);
        }
    }
}
