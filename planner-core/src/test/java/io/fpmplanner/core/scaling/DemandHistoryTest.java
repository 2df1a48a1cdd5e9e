/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class DemandHistoryTest {
    private final DemandHistory history = new DemandHistory(Role.AGGREGATED);

    private void feed(int from, int to, double queued, DoubleUnaryOperator prefill) {
        for (int second = from; second < to; second++) {
            double tokens = prefill.applyAsDouble(second);
            PoolLoad.Tick tick = new PoolLoad.Tick(1, tokens, tokens / 500, tokens / 4, 0, 0, 0, 50);
            PoolLoad.Traffic traffic = new PoolLoad.Traffic(
                    60,
                    OptionalDouble.empty(),
                    tokens,
                    tokens / 4,
                    OptionalDouble.of(500),
                    OptionalDouble.empty(),
                    OptionalDouble.of(125),
                    OptionalDouble.of(600));
            history.add(
                    second * 1_000_000_000L, new PoolLoad(10, 6000, queued / 500, queued, 0, 0, 1, 0, tick, traffic));
        }
    }

    private static DoubleUnaryOperator noisy(double mean, double sigma) {
        SplittableRandom random = new SplittableRandom(3);
        return second -> Math.max(0, mean + sigma * random.nextGaussian());
    }

    @Test
    void flatNoisyDemandHasALevelAndNoTrend() {
        feed(0, 120, 0, noisy(10_000, 3000));
        DemandHistory.Level level = history.level(30);
        assertThat(level.prefillTokensPerSecond()).isCloseTo(10_000, within(1500.0));
        assertThat(level.growth()).isEqualTo(1);
        assertThat(level.backlogTokens()).isZero();
    }

    @Test
    void aStepIsSeenWithinSecondsNotAfterHalfAMinute() {
        feed(0, 60, 0, noisy(10_000, 1000));
        feed(60, 66, 0, noisy(30_000, 1000));
        assertThat(history.level(30).prefillTokensPerSecond()).isCloseTo(30_000, within(3000.0));
    }

    @Test
    void aSteadyRiseIsExtrapolatedOverTheColdStart() {
        feed(0, 60, 0, second -> 10_000 + 200 * second);
        DemandHistory.Level level = history.level(30);
        double expected = 10_000 + 200 * (59 + 30);
        double mean = 10_000 + 200 * (59 - 9.5);
        assertThat(level.growth()).isCloseTo(expected / mean, within(0.02));
    }

    @Test
    void fallingDemandIsNotExtrapolated() {
        feed(0, 60, 0, second -> 30_000 - 300 * second);
        assertThat(history.level(30).growth()).isEqualTo(1);
    }

    @Test
    void onlyAQueueThatStaysIsBacklog() {
        feed(0, 30, 5000, second -> 10_000);
        assertThat(history.level(30).backlogTokens()).isEqualTo(5000);
        feed(30, 31, 0, second -> 10_000);
        assertThat(history.level(30).backlogTokens()).isZero();
    }

    @Test
    void nothingIsNothing() {
        assertThat(history.level(30).isNothing()).isTrue();
        feed(0, 60, 0, second -> 0);
        assertThat(history.level(30).isNothing()).isTrue();
    }
}
