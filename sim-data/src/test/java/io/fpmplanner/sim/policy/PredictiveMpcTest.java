/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.engine.EngineKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredictiveMpcTest {
    private final PredictiveMpc mpc = new PredictiveMpc(Situations.task(EngineKind.AGGREGATED));

    @Test
    void capacityIsThatOfTheSaturatedBatch() {
        MpcEngine engine = MpcEngine.of(Situations.task(EngineKind.AGGREGATED), 0, 1024, 128, 1);

        // 0.9 x 100,000 / 1,152 = 78 run at once; 1 / (0.1024 + 128 x 0.088 / 78).
        assertThat(engine.saturatedBatch()).isEqualTo(78);
        assertThat(engine.requestsPerSecond()).isCloseTo(1 / (0.1024 + 128 * 0.088 / 78), within(1e-9));
    }

    @Test
    void ordersSeveralAtOnceAndCountsThemUntilTheyCome() {
        List<PoolDecision> first = mpc.decide(Situations.traffic(15, 1, 0, 12));
        int ordered = first.get(0).desired();
        assertThat(ordered).isGreaterThan(2);

        List<PoolDecision> second = mpc.decide(Situations.traffic(30, 1, ordered - 1, 12));
        assertThat(second.get(0).desired()).isEqualTo(ordered);
    }

    @Test
    void shrinksOnlyAfterAColdStartOfSafety() {
        assertThat(mpc.decide(Situations.traffic(15, 4, 0, 1)).get(0).desired()).isEqualTo(4);
        assertThat(mpc.decide(Situations.traffic(30, 4, 0, 1)).get(0).desired()).isEqualTo(4);
        assertThat(mpc.decide(Situations.traffic(45, 4, 0, 1)).get(0).desired()).isLessThan(4);
    }

    @Test
    void withoutFiguresItHolds() {
        assertThat(mpc.decide(Situations.dark(15, 4))).isEmpty();
    }

    @Test
    void forecastFollowsJumpsAtOnceAndTrendsOnlyWhenSignificant() {
        ArrivalForecast forecast = new ArrivalForecast(15);
        for (int bin : new int[] {60, 64, 58, 61}) {
            forecast.add(bin);
        }
        assertThat(forecast.mean(1)).isCloseTo(4, within(0.15));
        assertThat(forecast.mean(10)).isEqualTo(forecast.mean(1));
        assertThat(forecast.upper(1)).isGreaterThan(forecast.mean(1));

        forecast.add(120);
        assertThat(forecast.mean(1)).isEqualTo(8);

        ArrivalForecast rising = new ArrivalForecast(15);
        for (int bin = 100; bin <= 160; bin += 7) {
            rising.add(bin);
        }
        assertThat(rising.mean(3)).isGreaterThan(rising.mean(1));
    }
}
