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
    private static final DemandHistory.Kind KIND = new DemandHistory.Kind(500, 125);
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
                    OptionalDouble.of(600),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty());
            history.add(
                    second * 1_000_000_000L,
                    new PoolLoad(10, 6000, queued / 500, queued, 0, 0, 1, 0, tick, traffic),
                    KIND,
                    false);
        }
    }

    private static DoubleUnaryOperator noisy(double mean, double sigma) {
        SplittableRandom random = new SplittableRandom(3);
        return second -> Math.max(0, mean + sigma * random.nextGaussian());
    }

    private DemandHistory.Level level() {
        return history.level(KIND, 30);
    }

    @Test
    void flatNoisyDemandHasALevelAndNoTrend() {
        feed(0, 120, 0, noisy(10_000, 3000));
        DemandHistory.Level level = level();
        assertThat(level.prefillTokensPerSecond()).isCloseTo(10_000, within(1000.0));
        assertThat(level.requests().level()).isCloseTo(20, within(2.0));
        assertThat(level.requests().growth(30)).isEqualTo(1);
        assertThat(level.standingRequests()).isZero();
    }

    @Test
    void aStepIsSeenWithinSecondsNotAfterHalfAMinute() {
        feed(0, 60, 0, noisy(10_000, 1000));
        feed(60, 66, 0, noisy(30_000, 1000));
        assertThat(level().requests().level()).isCloseTo(60, within(8.0));
        feed(66, 70, 0, noisy(30_000, 1000));
        assertThat(level().requests().level()).isCloseTo(60, within(3.0));
        assertThat(level().requests().growth(30)).as("a step is no trend").isEqualTo(1);
    }

    @Test
    void aSteadyRiseIsExtrapolatedOverTheColdStart() {
        feed(0, 60, 0, second -> 10_000 + 200 * second);
        DemandForecast requests = level().requests();
        double expected = (10_000 + 200 * (59 + 30)) / 500.0;
        assertThat(requests.requestsPerSecond(30))
                .as("less a standard error of level and slope, as of Poisson arrivals")
                .isBetween(expected - 9, expected);
        assertThat(requests.requestsPerSecond(300)).as("not for ever").isEqualTo(requests.requestsPerSecond(30));
    }

    @Test
    void fallingDemandIsNotExtrapolated() {
        feed(0, 60, 0, second -> 30_000 - 300 * second);
        assertThat(level().requests().growth(30)).isEqualTo(1);
    }

    @Test
    void longerRequestsAreMoreWorkBeforeTheirMeanLengthIsKnown() {
        feed(0, 60, 0, second -> 10_000);
        assertThat(history.level(new DemandHistory.Kind(250, 125), 30)
                        .requests()
                        .level())
                .isCloseTo(40, within(1.0));
        assertThat(history.level(new DemandHistory.Kind(500, 60), 30).requests().level())
                .isCloseTo(2500 / 60.0, within(1.0));
        assertThat(history.level(new DemandHistory.Kind(500, 120), 30)
                        .requests()
                        .level())
                .as("a few percent are noise")
                .isCloseTo(20, within(0.1));
    }

    @Test
    void onlyAQueueThatStaysIsBacklog() {
        feed(0, 30, 5000, second -> 10_000);
        assertThat(level().standingRequests()).isEqualTo(10);
        feed(30, 31, 0, second -> 10_000);
        assertThat(level().standingRequests()).isZero();
    }

    @Test
    void nothingIsNothing() {
        assertThat(level().isNothing()).isTrue();
        feed(0, 60, 0, second -> 0);
        assertThat(level().isNothing()).isTrue();
    }
}
