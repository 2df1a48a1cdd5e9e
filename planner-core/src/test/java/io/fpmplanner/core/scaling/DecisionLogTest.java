/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.pool.Role;
import io.fpmplanner.models.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DecisionLogTest {
    private final DecisionLog log = new DecisionLog();

    private static Recommendation recommendation(double seconds, int desired, ReasonCode reason) {
        return new Recommendation(
                "chat",
                Role.AGGREGATED,
                ScalingStatus.RIGHT_SIZED,
                OptionalInt.of(desired),
                new Recommendation.Fleet(2, 2, 0),
                reason,
                "because",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Recommendation.Demand(
                        0,
                        0,
                        OptionalDouble.of(3),
                        0,
                        1,
                        ForecastOrigin.TREND,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(1.5),
                        OptionalDouble.empty()),
                Optional.empty(),
                Evidence.READY,
                false,
                (long) (seconds * 1e9),
                (long) ((seconds + 15) * 1e9));
    }

    @Test
    void changesOfTheNumberAreKeptAtOnceOthersNowAndThen() {
        log.add(recommendation(1, 2, ReasonCode.WITHIN_CAPACITY));
        log.add(recommendation(2, 2, ReasonCode.WITHIN_CAPACITY));
        log.add(recommendation(3, 2, ReasonCode.IDLE));
        log.add(recommendation(4, 3, ReasonCode.IDLE));
        log.add(recommendation(20, 3, ReasonCode.WITHIN_CAPACITY));
        assertThat(log.entries()).extracting(Decision::number).containsExactly(1L, 2L, 3L);
        assertThat(log.entries().get(0).before()).isEmpty();
        assertThat(log.entries().get(1).before()).hasValue(2);
        assertThat(log.entries().get(1).desired()).hasValue(3);
        assertThat(log.entries().get(2).reason()).isEqualTo(ReasonCode.WITHIN_CAPACITY);
    }

    @Test
    void itIsBoundedAndGoesOnAfterARestart() {
        for (int i = 0; i < 2 * DecisionLog.CAPACITY; i++) {
            log.add(recommendation(i, i % 2, ReasonCode.WITHIN_CAPACITY));
        }
        assertThat(log.entries()).hasSize(DecisionLog.CAPACITY);
        List<Decision> kept = log.entries();
        DecisionLog next = new DecisionLog();
        next.restore(kept);
        next.add(recommendation(9999, 7, ReasonCode.IDLE));
        assertThat(next.entries().get(DecisionLog.CAPACITY - 1).number()).isEqualTo(2L * DecisionLog.CAPACITY + 1);
        assertThat(kept).as("what was handed out").hasSize(DecisionLog.CAPACITY);
    }
}
