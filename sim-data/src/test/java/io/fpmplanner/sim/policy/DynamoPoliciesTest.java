/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.engine.EngineKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DynamoPoliciesTest {
    private static final EngineKind KIND = EngineKind.AGGREGATED;

    private static int desired(List<PoolDecision> decisions) {
        assertThat(decisions).hasSize(1);
        return decisions.get(0).desired();
    }

    @Test
    void easyModeGrowsForAnyEngineAndShrinksForAll() {
        DynamoEasyMode easy = new DynamoEasyMode(Situations.task(KIND));

        // KV capacity 100,000: 101 contexts of 1,000 are more than there is room for.
        assertThat(desired(easy.decide(Situations.frames(
                        5, 2, 0, List.of(Situations.step("a", 0, 1, 0), Situations.step("b", 0, 90, 11_000))))))
                .isEqualTo(3);
        assertThat(desired(easy.decide(Situations.frames(
                        10, 2, 0, List.of(Situations.step("a", 0, 1, 0), Situations.step("b", 0, 60, 0))))))
                .isEqualTo(2);
        assertThat(desired(easy.decide(Situations.frames(
                        15, 2, 0, List.of(Situations.step("a", 0, 1, 0), Situations.step("b", 0, 59, 0))))))
                .isEqualTo(1);
    }

    @Test
    void neitherDecidesWhileReplicasStartOrAreNotHeard() {
        for (Autoscaler policy :
                List.of(new DynamoEasyMode(Situations.task(KIND)), new DynamoLoadRule(Situations.task(KIND)))) {
            assertThat(policy.decide(Situations.frames(5, 1, 1, List.of(Situations.step("a", 0, 128, 0)))))
                    .isEmpty();
            assertThat(policy.decide(Situations.frames(10, 2, 0, List.of(Situations.step("a", 0, 128, 0)))))
                    .isEmpty();
        }
    }

    @Test
    void regressionRecoversAPlane() {
        DynamoStepRegression regression = new DynamoStepRegression(2, false);
        for (int i = 0; i < 200; i++) {
            double tokens = i * 37 % 512;
            double kv = i * 61 % 1000 * 10.0;
            regression.observe(tokens, kv, 0.01 + 1e-4 * tokens + 1e-6 * kv);
        }
        DynamoStepRegression.Fit fit = regression.fit().orElseThrow();

        assertThat(fit.seconds(300, 5000)).isCloseTo(0.01 + 0.03 + 0.005, within(1e-9));
    }

    @Test
    void regressionRejectsNegativeSlopesButForTheNumberOfDecodes() {
        DynamoStepRegression strict = new DynamoStepRegression(1, false);
        DynamoStepRegression clamped = new DynamoStepRegression(2, true);
        for (int i = 1; i <= 20; i++) {
            strict.observe(i, 0, 1.0 / i);
            clamped.observe(i, i * i, 1 + 0.01 * i * i - 0.001 * i);
        }

        assertThat(strict.fit()).isEmpty();
        assertThat(clamped.fit()).isPresent();
        assertThat(clamped.fit().orElseThrow().first()).isZero();
    }

    @Test
    void loadRuleIsVetoedByOneIdleEngine() {
        DynamoLoadRule rule = new DynamoLoadRule(Situations.task(KIND));
        for (int i = 0; i < 20; i++) {
            rule.decide(Situations.frames(5 * i, 1, 1, List.of(Situations.step("a", 10 * (i % 10), i % 7, 0))));
        }

        // 30,000 queued prompt tokens take 3 s, more than the 2 s there are.
        assertThat(desired(rule.decide(Situations.frames(
                        105,
                        2,
                        0,
                        List.of(Situations.step("a", 500, 5, 30_000), Situations.step("b", 500, 5, 30_000))))))
                .isEqualTo(3);
        assertThat(desired(rule.decide(Situations.frames(
                        110, 2, 0, List.of(Situations.step("a", 500, 5, 30_000), Situations.step("b", 500, 5, 0))))))
                .isEqualTo(2);
        assertThat(desired(rule.decide(Situations.frames(
                        115, 2, 0, List.of(Situations.step("a", 100, 5, 0), Situations.step("b", 100, 5, 0))))))
                .isEqualTo(1);
    }
}
