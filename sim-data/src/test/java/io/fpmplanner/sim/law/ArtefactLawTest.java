/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.law.Artefacts.ClockDrops;
import io.fpmplanner.sim.law.Artefacts.SlowWorkers;
import io.fpmplanner.sim.law.Artefacts.Stairs;
import io.fpmplanner.sim.law.Artefacts.Stragglers;
import io.fpmplanner.sim.law.Artefacts.WarmUp;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArtefactLawTest {
    private static final StepTimeLaw TEN_MILLIS = batch -> 0.010;
    private static final int MANY = 20_000;

    @Test
    void without_artefacts_a_law_is_as_it_was() {
        assertThat(DoubleStream.of(times(Artefacts.NONE, 1))).allMatch(seconds -> Math.abs(seconds - 0.010) < 1e-9);
    }

    @Test
    void noise_has_the_right_median_and_spread() {
        double[] logs = Arrays.stream(times(Artefacts.NONE.withNoise(0.1), 2))
                .map(seconds -> Math.log(seconds / 0.010))
                .sorted()
                .toArray();

        assertThat(logs[MANY / 2]).isCloseTo(0, within(0.003));
        double variance = Arrays.stream(logs).map(x -> x * x).average().orElseThrow();
        assertThat(Math.sqrt(variance)).isCloseTo(0.1, within(0.003));
    }

    @Test
    void stragglers_come_as_often_and_as_long_as_told() {
        double[] times = times(Artefacts.NONE.withStragglers(new Stragglers(0.01, 10)), 3);

        assertThat(DoubleStream.of(times))
                .allMatch(seconds -> Math.abs(seconds - 0.010) < 1e-9 || Math.abs(seconds - 0.100) < 1e-9);
        long longOnes = Arrays.stream(times).filter(seconds -> seconds > 0.05).count();
        assertThat(longOnes).isBetween(150L, 250L);
    }

    @Test
    void only_the_first_steps_warm_up() {
        double[] times = times(Artefacts.NONE.withWarmUp(new WarmUp(100, 0.5, 0.2, 6.7)), 4);

        assertThat(Arrays.stream(times, 0, 98).filter(seconds -> seconds > 0.1).count())
                .isBetween(30L, 70L);
        assertThat(Arrays.stream(times).max().orElseThrow()).isBetween(0.2, 6.71);
        assertThat(Arrays.stream(times, 100, times.length)).allMatch(seconds -> seconds < 0.011);
    }

    @Test
    void misattributed_time_is_shifted_and_not_lost() {
        double[] times = times(Artefacts.NONE.withMisattribution(0.1), 5);

        assertThat(Arrays.stream(times).sum()).isCloseTo(MANY * 0.010, within(0.021));
        assertThat(Arrays.stream(times).filter(seconds -> seconds > 0.019).count())
                .isBetween(1_500L, 2_200L);
        assertThat(Arrays.stream(times).filter(seconds -> seconds < 0.001).count())
                .isBetween(1_500L, 2_200L);
    }

    @Test
    void stairs_rise_after_each_eighth_request_and_long_steps_run_eagerly() {
        Artefacts stairs = Artefacts.NONE.withStairs(new Stairs(0.001, 512, 0.024));

        assertThat(decode(stairs, 8)).isCloseTo(0.011, within(1e-9));
        assertThat(decode(stairs, 9)).isCloseTo(0.012, within(1e-9));
        assertThat(decode(stairs, 17)).isCloseTo(0.013, within(1e-9));
        StepTimeLaw law = new ArtefactLaw(TEN_MILLIS, stairs, 1);
        assertThat(Steps.of(law, 1, 512, 1).get(0).wallTimeSeconds()).isCloseTo(0.010, within(1e-9));
        assertThat(Steps.of(law, 1, 513, 1).get(0).wallTimeSeconds()).isCloseTo(0.034, within(1e-9));
    }

    @Test
    void clock_drops_last_as_long_and_come_as_often_as_told() {
        double[] times = times(Artefacts.NONE.withClockDrops(new ClockDrops(3, 1, 1.5)), 6);

        double dropped =
                DoubleStream.of(times).filter(seconds -> seconds > 0.012).sum();
        assertThat(dropped / DoubleStream.of(times).sum()).isBetween(0.15, 0.35);
        long changes = LongStream.range(1, times.length)
                .filter(i -> (times[(int) i] > 0.012) != (times[(int) i - 1] > 0.012))
                .count();
        assertThat(changes).isBetween(50L, 200L);
    }

    @Test
    void some_workers_are_slow_for_good() {
        Artefacts slow = Artefacts.NONE.withSlowWorkers(new SlowWorkers(0.25, 1.4));
        long slowOnes = LongStream.range(0, 400)
                .filter(seed -> Steps.decodes(new ArtefactLaw(TEN_MILLIS, slow, seed), 1, 1, 2)[0] > 0.012)
                .count();

        assertThat(slowOnes).isBetween(70L, 130L);
    }

    @Test
    void equal_seeds_give_equal_times() {
        Artefacts all = Artefacts.production()
                .withClockDrops(new ClockDrops(5, 1, 1.3))
                .withSlowWorkers(new SlowWorkers(0.5, 1.2));

        assertThat(times(all, 9)).isEqualTo(times(all, 9)).isNotEqualTo(times(all, 10));
        assertThat(DoubleStream.of(times(all, 9))).allMatch(seconds -> seconds > 0);
    }

    @Test
    void artefacts_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> Artefacts.NONE.withNoise(-1)).hasMessageContaining("noiseSigma");
        assertThatThrownBy(() -> new Stragglers(2, 1)).hasMessageContaining("share");
        assertThatThrownBy(() -> new WarmUp(1, 1, 3, 2)).hasMessageContaining("shortestSeconds");
        assertThatThrownBy(() -> new ClockDrops(1, 1, 0.5)).hasMessageContaining("factor");
    }

    private static double decode(Artefacts artefacts, int requests) {
        return Steps.decodes(new ArtefactLaw(TEN_MILLIS, artefacts, 1), requests, 10, 3)[0];
    }

    /** Times of many decoding steps of one request. */
    private static double[] times(Artefacts artefacts, long seed) {
        return Steps.decodes(new ArtefactLaw(TEN_MILLIS, artefacts, seed), 1, 1, MANY + 1);
    }
}
