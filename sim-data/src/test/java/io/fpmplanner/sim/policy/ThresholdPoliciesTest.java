/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThresholdPoliciesTest {
    private final QueueLengthHpa hpa = new QueueLengthHpa(Situations.task(EngineKind.AGGREGATED));

    private static int desired(List<PoolDecision> decisions) {
        assertThat(decisions).hasSize(1);
        return decisions.get(0).desired();
    }

    @Test
    void reactiveMovesByOneAndHasABandBetween() {
        ReactiveThreshold reactive = new ReactiveThreshold();

        assertThat(desired(reactive.decide(Situations.waiting(15, 2, 1, 5)))).isEqualTo(4);
        assertThat(desired(reactive.decide(Situations.waiting(30, 3, 0, 4)))).isEqualTo(3);
        assertThat(desired(reactive.decide(Situations.waiting(45, 3, 0, 1)))).isEqualTo(3);
        assertThat(desired(reactive.decide(Situations.waiting(60, 3, 0, 0)))).isEqualTo(2);
        assertThat(reactive.decide(Situations.dark(75, 3))).isEmpty();
    }

    @Test
    void hpaRoundsUpAndIgnoresTenPercent() {
        assertThat(desired(hpa.decide(Situations.waiting(15, 4, 0, 20)))).isEqualTo(4);
        assertThat(desired(hpa.decide(Situations.waiting(30, 4, 0, 21)))).isEqualTo(4);
        // A ratio of 1.1 exceeds the tolerance by a rounding error, and the real controller acts on it too.
        assertThat(desired(hpa.decide(Situations.waiting(45, 4, 0, 22)))).isEqualTo(5);
    }

    @Test
    void hpaAtMostDoublesOrAddsFourAtOnce() {
        assertThat(desired(hpa.decide(Situations.waiting(15, 1, 0, 100)))).isEqualTo(5);
        assertThat(desired(hpa.decide(Situations.waiting(30, 5, 0, 100)))).isEqualTo(10);
    }

    @Test
    void hpaShrinksToTheHighestRecommendationOfFiveMinutesOnly() {
        assertThat(desired(hpa.decide(Situations.waiting(15, 6, 0, 30)))).isEqualTo(6);
        for (int second = 30; second <= 315; second += 15) {
            assertThat(desired(hpa.decide(Situations.waiting(second, 6, 0, second == 120 ? 14 : 0))))
                    .isEqualTo(6);
        }
        assertThat(desired(hpa.decide(Situations.waiting(330, 6, 0, 0)))).isEqualTo(3);
        assertThat(desired(hpa.decide(Situations.waiting(420, 3, 0, 0)))).isEqualTo(3);
        assertThat(desired(hpa.decide(Situations.waiting(435, 3, 0, 0)))).isEqualTo(1);
    }

    @Test
    void hpaWithoutItsMetricDecidesNothing() {
        assertThat(hpa.decide(Situations.dark(15, 4))).isEmpty();
    }
}
