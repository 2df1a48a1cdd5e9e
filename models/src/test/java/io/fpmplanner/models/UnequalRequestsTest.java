/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is learned of few requests in a step must hold for many: costs are of each request, and frames tell sums only. */
class UnequalRequestsTest {
    private final SplittableRandom random = new SplittableRandom(7);
    private final StepWorkload step = new StepWorkload();

    private double length(double median) {
        return Math.rint(median * Math.exp(0.9 * random.nextGaussian()));
    }

    /** Fills a step of so many prompts; their time is linear in tokens and quadratic in each prompt. */
    private double prompts(int count) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double length = Math.min(6_000, length(900));
            sum += length;
            squares += length * length;
        }
        step.clear().prefill(count, sum, 0, squares / count - sum / count * (sum / count));
        return 0.006 + 2e-5 * sum + 4e-9 * squares;
    }

    /** Fills a step of so many decodes; each waits for the longest, as far away as 2.5 deviations. */
    private double decodes(int count) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double context = length(1_500);
            sum += context;
            squares += context * context;
        }
        double variance = squares / count - sum / count * (sum / count);
        step.clear().decode(count, sum, variance);
        return 0.006 + 2e-5 * count + 4e-8 * sum + 2e-8 * count * Math.sqrt(variance);
    }

    @Test
    void promptsOneByOneTellWhatManyAtOnceTake() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < 4_000; i++) {
            model.observe(step, prompts(i % 10 == 0 ? 2 : 1));
        }
        StepTimePredictor predictor = model.snapshot().predictor();
        double errors = 0;
        for (int i = 0; i < 500; i++) {
            double seconds = prompts(5);
            errors += Math.log(predictor.meanSeconds(step) / seconds) / 500;
        }
        assertThat(errors).isCloseTo(0, within(0.02));
    }

    @Test
    void smallDecodeBatchesTellWhatThriceAsManyTake() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < 4_000; i++) {
            model.observe(step, decodes(10 + random.nextInt(20)));
        }
        StepTimePredictor predictor = model.snapshot().predictor();
        double errors = 0;
        for (int i = 0; i < 500; i++) {
            double seconds = decodes(90);
            errors += Math.log(predictor.meanSeconds(step) / seconds) / 500;
        }
        assertThat(errors).isCloseTo(0, within(0.04));
    }

    @Test
    void whetherAnEngineTellsHowUnequalPromptsAreIsKnown() {
        StepTimeModel silent = new StepTimeModel(StepTimeSettings.defaults());
        StepTimeModel telling = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < 50; i++) {
            double seconds = prompts(3);
            telling.observe(step, seconds);
            silent.observe(step.prefill(3, step.prefillTokens(), 0, 0), seconds);
        }
        assertThat(silent.snapshot().report().seen().knowsPromptVariance()).isFalse();
        assertThat(telling.snapshot().report().seen().knowsPromptVariance()).isTrue();
        assertThat(StepTimeModel.restore(telling.export())
                        .snapshot()
                        .report()
                        .seen()
                        .knowsPromptVariance())
                .isTrue();
    }
}
