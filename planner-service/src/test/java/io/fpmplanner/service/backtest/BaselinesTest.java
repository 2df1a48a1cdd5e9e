/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static io.fpmplanner.service.backtest.TestSteps.decode;
import static io.fpmplanner.service.backtest.TestSteps.prefill;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.models.StepWorkload;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BaselinesTest {
    @Test
    void theLastValueIsThatOfTheRegime() {
        StepLearner learner = new LastValue();
        assertThat(learner.predictSeconds(decode(1, 100))).isEmpty();

        learner.observe(decode(1, 100), 0.01);
        learner.observe(prefill(1, 500, 0), 0.2);

        assertThat(learner.predictSeconds(decode(8, 9000))).hasValue(0.01);
        assertThat(learner.predictSeconds(prefill(2, 50, 0))).hasValue(0.2);
        assertThat(learner.predictSeconds(prefill(2, 50, 0).decode(1, 100, 0))).isEmpty();
    }

    @Test
    void attentionWorkCountsContextAndPairs() {
        assertThat(AggregatedNnls.attentionWork(decode(4, 4000))).isEqualTo(4000);
        // Two prompts of 50 tokens over 25 cached each: 2 * 50 * 25 pairs with the context, 100^2 / 4 + 100 / 2 among
        // themselves, 50 tokens read and 7 of a decode.
        assertThat(AggregatedNnls.attentionWork(prefill(2, 100, 50).decode(1, 7, 0)))
                .isEqualTo(50 + 7 + 2500 + 2500 + 50);
    }

    @Test
    void nnlsKeepsAFitForEachKind() {
        StepLearner learner = new AggregatedNnls();
        for (int i = 0; i < 20; i++) {
            learner.observe(TestSteps.decode(i), TestSteps.linearSeconds(TestSteps.decode(i)));
        }

        StepWorkload asked = decode(10, 6000);
        assertThat(learner.predictSeconds(asked).getAsDouble()).isCloseTo(TestSteps.linearSeconds(asked), within(1e-9));
        assertThat(learner.predictSeconds(prefill(1, 100, 0))).isEmpty();
        assertThat(learner.predictSeconds(prefill(1, 100, 0).decode(10, 6000, 0)))
                .isEmpty();
    }

    @Test
    void theSplitRegressionsLearnALineEach() {
        StepLearner learner = SplitRegression.ols();
        for (int i = 0; i < 20; i++) {
            StepWorkload mixed = prefill(1, 100 + 37 * i % 300, 0).decode(4, 1000 + 91 * i % 700, 0);
            learner.observe(TestSteps.decode(i), TestSteps.linearSeconds(TestSteps.decode(i)));
            learner.observe(prefill(1, 100 * i, 0), 0.02 + 1e-3 * i);
            learner.observe(mixed, 0.03 + 1e-5 * mixed.prefillTokens() + 1e-7 * mixed.decodeKvTokens());
        }

        assertThat(learner.predictSeconds(decode(10, 6000)).getAsDouble())
                .isCloseTo(TestSteps.linearSeconds(decode(10, 6000)), within(1e-9));
        assertThat(learner.predictSeconds(prefill(1, 3000, 0)).getAsDouble()).isCloseTo(0.05, within(1e-9));
        assertThat(learner.predictSeconds(prefill(1, 200, 0).decode(4, 2000, 0)).getAsDouble())
                .isCloseTo(0.03 + 2e-3 + 2e-4, within(1e-9));
    }

    @Test
    void theAggregatedRegressionLooksAtPrefillTokensAndContextOnly() {
        StepLearner learner = new AggregatedOls();
        for (int i = 0; i < 20; i++) {
            StepWorkload step = i % 2 == 0 ? decode(3, 500 * i) : prefill(1, 100 * i, 0);
            learner.observe(step, 0.01 + 1e-5 * step.prefillTokens() + 1e-6 * step.decodeKvTokens());
        }

        assertThat(learner.predictSeconds(prefill(5, 1000, 77).decode(9, 2000, 5))
                        .getAsDouble())
                .isCloseTo(0.01 + 0.01 + 0.002, within(1e-9));
    }

    @Test
    void onlyOursHasIntervals() {
        StepSeries series = TestSteps.series("x", 300, TestSteps::linearSeconds);
        for (Contender contender : Contender.values()) {
            Predictions predictions = Predictions.of(contender.create(), series);
            assertThat(predictions.hasInterval(299)).isEqualTo(!contender.isBaseline());
        }
        assertThat(Arrays.stream(Contender.values()).filter(contender -> !contender.isBaseline()))
                .containsExactly(Contender.FPM_PLANNER);
    }
}
