/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Poisson arrivals, second by second, in virtual time; cold start 60 s unless said otherwise. */
class SeasonWatchTest {
    private static final long EPOCH = 1_700_000_000L;
    private static final int DAY = 86_400;

    private final SeasonWatch watch = new SeasonWatch(0);
    private SplittableRandom random = new SplittableRandom(7);
    private int tick = 1;
    private double coldStart = 60;

    private void feed(int from, int to, DoubleUnaryOperator rate) {
        feed(watch, from, to, rate);
    }

    private void feed(SeasonWatch into, int from, int to, DoubleUnaryOperator rate) {
        for (int second = from; second < to; second += tick) {
            into.add(nanos(second + tick), tick, poisson(tick * rate.applyAsDouble(second)), coldStart);
        }
    }

    private static long nanos(int second) {
        return (EPOCH + second) * 1_000_000_000L;
    }

    private double poisson(double mean) {
        if (mean > 40) {
            return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
        }
        int count = 0;
        for (double left = Math.exp(-mean), drawn = random.nextDouble(); drawn > left; count++) {
            drawn *= random.nextDouble();
        }
        return count;
    }

    private boolean isSeason(int second) {
        return watch.outlook(nanos(second), coldStart).isPresent();
    }

    private SeasonOutlook outlook(int second) {
        return watch.outlook(nanos(second), coldStart).orElseThrow();
    }

    /** Second by second; the first at which something is so. */
    private OptionalInt firstWhen(int from, int to, DoubleUnaryOperator rate, IntPredicate isSo) {
        return IntStream.range(from, to)
                .filter(second -> {
                    feed(second, second + 1, rate);
                    return isSo.test(second + 1);
                })
                .findFirst();
    }

    private static DoubleUnaryOperator wave(double mean, double amplitude, double period) {
        return second -> mean + amplitude * Math.sin(2 * Math.PI * second / period);
    }

    private static DoubleUnaryOperator jobs(double low, double high, int period, int length) {
        int first = period / 2;
        return second -> (second + first) % period < length ? high : low;
    }

    @ParameterizedTest
    @CsvSource({"600, 10, 60", "1200, 5, 60", "3600, 2, 300", "21600, 1, 1800"})
    void aWaveIsASeasonOnceItWasSeenThreeTimesAndTellsWhatComes(int period, double mean, int coldStartSeconds) {
        coldStart = coldStartSeconds;
        DoubleUnaryOperator rate = wave(mean, 0.8 * mean, period);
        feed(0, 2 * period, rate);
        assertThat(isSeason(2 * period)).as("seen twice only").isFalse();
        int now = 3 * period + period / 4;
        feed(2 * period, now, rate);
        SeasonOutlook outlook = outlook(now);
        assertThat(outlook.periodSeconds()).isCloseTo(period, within(0.03 * period));
        for (int ahead = 0; ahead <= 3 * coldStartSeconds; ahead += coldStartSeconds / 3) {
            assertThat(outlook.requestsPerSecond(ahead))
                    .as("in %d s", ahead)
                    .isCloseTo(rate.applyAsDouble(now + ahead), within(0.3 * mean));
        }
    }

    @Test
    void aDayWithTwoUnequalPeaksIsExpectedAgain() {
        tick = 5;
        coldStart = 600;
        DoubleUnaryOperator day = second -> {
            double hour = second % DAY / 3600.0;
            return 0.5 + peak(hour, 9, 12, 6) + peak(hour, 14, 18, 4);
        };
        feed(0, 3 * DAY, day);
        int morning = 3 * DAY + 9 * 3600 - 600;
        feed(3 * DAY, morning, day);
        SeasonOutlook outlook = outlook(morning);
        assertThat(outlook.periodSeconds()).isCloseTo(DAY, within(640.0));
        assertThat(outlook.requestsPerSecond(0)).isLessThan(2);
        assertThat(outlook.requestsPerSecond(600 + 640)).as("just after nine").isGreaterThan(5);
        int noon = 3 * DAY + 12 * 3600 - 600;
        feed(morning, noon, day);
        assertThat(outlook(noon).requestsPerSecond(600 + 640)).as("lunch").isLessThan(2);
    }

    private static double peak(double hour, double from, double to, double height) {
        return hour >= from && hour < to ? height : 0;
    }

    @Test
    void aJobEveryTenMinutesIsForeseenThoughNothingRisesYet() {
        DoubleUnaryOperator rate = jobs(2, 20, 600, 120);
        feed(0, 2400, rate);
        int before = 2400 + 300 - 60;
        feed(2400, before, rate);
        assertThat(outlook(before).requestsPerSecond(0)).isLessThan(6);
        assertThat(outlook(before).requestsPerSecond(80)).isCloseTo(20, within(4.0));
    }

    @Test
    void noiseIsNoSeason() {
        for (int seed = 0; seed < 12; seed++) {
            random = new SplittableRandom(seed);
            double mean = 0.3 * (1 << seed % 6);
            assertThat(firstWhen(0, 12_000, second -> mean, this::isSeason))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void slopesAreNoSeasonAndChanceHardlyEverIs() {
        assertThat(firstWhen(0, 10_000, second -> second / 200.0, this::isSeason))
                .as("a slope")
                .isEmpty();
        long followed = 0;
        for (int seed = 0; seed < 12; seed++) {
            SplittableRandom steps = new SplittableRandom(100 + seed);
            double[] level = {10};
            int first = 20_000 * (seed + 1);
            followed += IntStream.range(first, first + 20_000)
                    .filter(second -> {
                        level[0] = Math.max(0.5, Math.min(40, level[0] + 0.15 * steps.nextGaussian()));
                        feed(second, second + 1, at -> level[0]);
                        return isSeason(second + 1);
                    })
                    .count();
        }
        assertThat(followed / 240_000.0)
                .as("share of the time that a wandering level is taken for a season")
                .isLessThan(0.01);
    }

    @Test
    void aSeasonThatStopsIsDroppedWithinTheColdStartAfterWhatItPromised() {
        DoubleUnaryOperator rate = jobs(2, 20, 600, 120);
        feed(0, 2640, rate);
        assertThat(isSeason(2640)).isTrue();
        OptionalInt dropped = firstWhen(2640, 3600, second -> 2, second -> !isSeason(second));
        // The job was due at 2700 s.
        assertThat(dropped.orElseThrow()).isBetween(2700, 2730);
    }

    @Test
    void aShiftedSeasonIsDroppedAndFollowedAgainOnceItWasSeen() {
        DoubleUnaryOperator before = jobs(2, 20, 600, 120);
        DoubleUnaryOperator after = second -> before.applyAsDouble(second + 200);
        feed(0, 2640, before);
        assertThat(isSeason(2640)).isTrue();
        OptionalInt dropped = firstWhen(2640, 3600, after, second -> !isSeason(second));
        assertThat(dropped.orElseThrow()).isLessThan(3150);
        int end = 2640 + 4 * 600;
        feed(dropped.getAsInt() + 1, end, after);
        SeasonOutlook outlook = outlook(end);
        for (int ahead = 0; ahead <= 180; ahead += 60) {
            assertThat(outlook.requestsPerSecond(ahead)).isCloseTo(after.applyAsDouble(end + ahead), within(5.0));
        }
    }

    @Test
    void aQuieterDayKeepsItsShape() {
        DoubleUnaryOperator rate = wave(20, 16, 600);
        feed(0, 2400, rate);
        DoubleUnaryOperator half = second -> rate.applyAsDouble(second) / 2;
        feed(2400, 2700, half);
        if (isSeason(2700)) {
            assertThat(outlook(2700).requestsPerSecond(150)).isCloseTo(half.applyAsDouble(2850), within(3.0));
        }
        feed(2700, 4500, half);
        assertThat(outlook(4500).requestsPerSecond(60)).isCloseTo(half.applyAsDouble(4560), within(3.0));
    }

    @Test
    void whatWasNotSeenIsUnknown() {
        DoubleUnaryOperator rate = wave(10, 8, 600);
        feed(0, 1800, rate);
        feed(1900, 2400, rate);
        assertThat(isSeason(2400)).isTrue();
        assertThat(outlook(2400).requestsPerSecond(60)).isCloseTo(rate.applyAsDouble(2460), within(2.5));
    }

    @Test
    void aRestartGoesOnWhereItWas() {
        DoubleUnaryOperator rate = wave(10, 8, 600);
        feed(0, 2407, rate);
        SeasonWatch restored = new SeasonWatch(0);
        restored.restore(watch.memory());
        feed(restored, 2409, 2415, second -> 10);
        String rates = watch.memory().bins().get(0).rates();
        // Of the bin in which it fell too little is known.
        assertThat(restored.memory().bins().get(0).rates()).isEqualTo(rates + "AA");
        assertThat(restored.outlook(nanos(2415), 60)).isPresent();
        assertThat(restored.outlook(nanos(2415), 60).orElseThrow().periodSeconds())
                .isCloseTo(600, within(18.0));
    }

    @Test
    void memoryIsBounded() {
        feed(0, 100, second -> 3);
        watch.add(nanos(100 + 400 * DAY), 1, 3, 60);
        feed(100 + 400 * DAY, 200 + 400 * DAY, second -> 3);
        watch.memory().bins().forEach(bins -> assertThat(bins.rates().length()).isLessThanOrEqualTo(2 * 1152));
        // A clock that was put back makes all of it worthless.
        feed(0, 100, second -> 3);
        assertThat(watch.memory().bins().get(0).rates()).hasSizeLessThan(2 * 30);
    }
}
