/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.models.StepWorkload;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void aPredictableEngineIsTrustedAsFarAsItWasSeen() {
        Random random = new Random(1);
        Verdict verdict = verdict(1000, step -> rippled(step, 0.01, random));

        assertThat(verdict.trust()).isEqualTo(Verdict.Trust.YES);
        assertThat(verdict.doubts()).isEmpty();
        assertThat(verdict.limits())
                .containsExactly(
                        "No prefill steps were scored: the recording does not tell how well such steps are predicted.",
                        "No mixed steps were scored: the recording does not tell how well such steps are predicted.");
        assertThat(verdict.summary()).contains("best baseline (");
    }

    @Test
    void anEngineThatScattersIsToBeTakenWithCareOrNotAtAll() {
        Random random = new Random(1);
        Verdict care = verdict(1000, step -> rippled(step, 0.2, random));
        Verdict refused = verdict(1000, step -> rippled(step, 1, random));

        assertThat(care.trust()).isEqualTo(Verdict.Trust.WITH_CARE);
        assertThat(care.doubts()).anyMatch(doubt -> doubt.contains("for reasons the frames do not show"));
        assertThat(refused.trust()).isEqualTo(Verdict.Trust.NO);
        assertThat(refused.doubts()).isNotEmpty();
    }

    @Test
    void aFewStepsSayNothing() {
        Verdict verdict = verdict(399, TestSteps::linearSeconds);

        assertThat(verdict.trust()).isEqualTo(Verdict.Trust.CANNOT_SAY);
        assertThat(verdict.summary()).contains("only 399 steps", "at least 400");
    }

    @Test
    void aBaselineThatDoesBetterIsNamed() {
        // The time depends on the place in the stream alone: hours go by slowly, and every step is like the last one.
        int[] t = new int[1];
        Verdict verdict = verdict(1000, step -> 0.01 * Math.exp(0.3 * Math.sin(0.2 * t[0]++)));

        assertThat(verdict.trust()).isEqualTo(Verdict.Trust.WITH_CARE);
        assertThat(verdict.doubts()).anyMatch(doubt -> doubt.startsWith("The baseline last-value does better"));
    }

    private static double rippled(StepWorkload step, double spread, Random random) {
        return TestSteps.linearSeconds(step) * Math.exp(spread * random.nextGaussian());
    }

    private static Verdict verdict(int count, ToDoubleFunction<StepWorkload> seconds) {
        return new Backtest(() -> 0, false)
                .compare(TestSteps.series("x", count, seconds), Optional.empty())
                .verdict();
    }
}
