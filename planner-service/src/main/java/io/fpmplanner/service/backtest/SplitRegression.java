/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepWorkload;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** A regression for each regime: prefills on tokens, decodes on requests and context, mixed steps on tokens and context. */
final class SplitRegression implements StepLearner {
    private final Regression prefill;
    private final Regression decode;
    private final Regression mixed;

    private SplitRegression(Regression prefill, Regression decode, Regression mixed) {
        this.prefill = prefill;
        this.decode = decode;
        this.mixed = mixed;
    }

    /**
     * The regressions of Dynamo's Python planner up to version 1.2, which uses the first two for the pools of a
     * disaggregated pair, and the third for aggregated workers.
     */
    static SplitRegression ols() {
        return new SplitRegression(
                new Regression(SampleGrid.ofOneAxis(), OrdinaryLeastSquares.STRICT),
                new Regression(linearGrid(), OrdinaryLeastSquares.CLAMPING_FIRST),
                new Regression(linearGrid(), OrdinaryLeastSquares.STRICT));
    }

    /** The first form of Dynamo's Rust performance model where it has no measured tables. */
    static SplitRegression nnls() {
        return new SplitRegression(
                new Regression(SampleGrid.ofOneAxis(), HingeLeastSquares.INSTANCE),
                NonNegativeLeastSquares.regression(),
                NonNegativeLeastSquares.regression());
    }

    private static SampleGrid linearGrid() {
        return SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity());
    }

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
