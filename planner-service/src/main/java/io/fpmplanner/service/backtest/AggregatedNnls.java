/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepWorkload;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Dynamo's performance model for aggregated workers where it has no measured tables (Rust, from version 1.3 on): for each
 * kind of iteration a fit on the attention work and on the tokens computed.
 *
 * <p>Dynamo keeps four kinds. Three are the regimes; the fourth is an iteration whose data-parallel ranks differ in what
 * they do, which a stream of single ranks does not show.
 */
final class AggregatedNnls implements StepLearner {
    private final Map<StepRegime, Regression> kinds = new EnumMap<>(StepRegime.class);

    AggregatedNnls() {
        for (StepRegime regime : StepRegime.values()) {
            kinds.put(regime, NonNegativeLeastSquares.regression());
        }
    }

    @Override
    public OptionalDouble predictSeconds(StepWorkload step) {
        return kind(step).seconds(attentionWork(step), step.scheduledTokens());
    }

    @Override
    public void observe(StepWorkload step, double wallTimeSeconds) {
        kind(step).add(attentionWork(step), step.scheduledTokens(), wallTimeSeconds);
    }

    @SuppressWarnings("NullAway") // every regime has one
    private Regression kind(StepWorkload step) {
        return kinds.get(step.regime());
    }

    /** Context read, plus pairs of fresh prefill tokens with their context and their predecessors, requests being alike. */
    static double attentionWork(StepWorkload step) {
        double tokens = step.prefillTokens();
        if (tokens <= 0) {
            return step.decodeKvTokens();
        }
        double requests = Math.max(1, step.prefillRequests());
        double pairs = step.prefillKvTokens() * tokens / requests + tokens * tokens / (2 * requests) + tokens / 2;
        return step.prefillKvTokens() + step.decodeKvTokens() + pairs;
    }
}
