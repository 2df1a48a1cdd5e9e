/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepWorkload;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final StepSeries TEN_MILLIS = TestSteps.series("x", 1000, step -> 0.01);

    @Test
    void anAnswerThatIsNotGivenIsAnErrorOfAHundredPercent() {
        Figures figures = Figures.of(Predictions.of(new Every(2, 0.011), TEN_MILLIS));

        assertThat(figures.total().frames()).isEqualTo(1000);
        assertThat(figures.total().mape().getAsDouble()).isCloseTo((0.1 + 1) / 2, within(1e-9));
        assertThat(figures.answered()).hasValue(0.5);
        assertThat(figures.coverage()).isEmpty();
        assertThat(figures.total().coverage90()).isEmpty();
        assertThat(figures.regimes()).containsOnlyKeys(StepRegime.DECODE);
        assertThat(figures.regimes().get(StepRegime.DECODE).scored()).isEqualTo(800);
        // Windows of 400: half of the steps at 110 %, the others at nothing.
        assertThat(figures.sums().getAsDouble()).isCloseTo(0.45, within(1e-9));
        assertThat(figures.overTime())
                .hasSize(Figures.PARTS)
                .allSatisfy(part -> assertThat(part).isCloseTo(0.55, within(1e-9)));
    }

    @Test
    void whatIsTooShortHasNoFigures() {
        Figures figures = Figures.of(Predictions.of(new Every(1, 0.01), TestSteps.series("x", 200, step -> 0.01)));

        assertThat(figures.total().mape()).isEmpty();
        assertThat(figures.sums()).isEmpty();
        assertThat(figures.answered()).isEmpty();
        assertThat(Figures.of(Predictions.of(new Every(1, 0.01), TestSteps.series("x", 0, step -> 0.01)))
                        .overTime())
                .isEmpty();
    }

    @Test
    void framesToGoodCountsTheWindowThatWasGood() {
        assertThat(Recovery.framesToGood(errors(30, 1, 30, 0))).hasValue(30 + 20 - 1);
        assertThat(Recovery.framesToGood(errors(0, 1, 20, 0.09))).hasValue(20);
        assertThat(Recovery.framesToGood(errors(0, 1, 19, 0))).isEmpty();
        assertThat(Recovery.framesToGood(errors(100, 0.5, 0, 0))).isEmpty();
    }

    @Test
    void recoveryStartsAtTheChange() {
        StepSeries slower = TEN_MILLIS.slowedFrom(500, 1.25);
        Predictions stubborn = Predictions.of(new Every(1, 0.01), slower);
        Predictions following = Predictions.of(new LastValue(), slower);

        assertThat(stubborn.error(499)).isCloseTo(0, within(1e-12));
        assertThat(stubborn.error(500)).isCloseTo(0.2, within(1e-12));
        assertThat(Recovery.after(500, stubborn).steps()).isEmpty();
        assertThat(Recovery.after(500, following)).isEqualTo(new Recovery(500, OptionalInt.of(0)));
    }

    @Test
    void noiseIsTheSameEveryTimeAndKeepsTheLoad() {
        StepSeries noisy = TEN_MILLIS.withNoise();
        double[] ratios = IntStream.range(0, 1000)
                .mapToDouble(t -> noisy.seconds(t) / TEN_MILLIS.seconds(t))
                .toArray();

        assertThat(TEN_MILLIS.withNoise().seconds(123)).isEqualTo(noisy.seconds(123));
        assertThat(noisy.step(7)).isEqualTo(TEN_MILLIS.step(7));
        assertThat(Arrays.stream(ratios).filter(ratio -> ratio > 5).count()).isBetween(1L, 12L);
        double[] logs = Arrays.stream(ratios)
                .filter(ratio -> ratio < 5)
                .map(Math::log)
                .map(log -> log * log)
                .toArray();
        // Standard deviation of 1000 draws: within 10 % of 4 % by more than four of its own deviations.
        assertThat(Math.sqrt(Arrays.stream(logs).average().orElseThrow())).isCloseTo(0.04, within(0.004));
    }

    private static double[] errors(int count, double value, int thenCount, double then) {
        return DoubleStream.concat(
                        DoubleStream.generate(() -> value).limit(count),
                        DoubleStream.generate(() -> then).limit(thenCount))
                .toArray();
    }

    /** Gives the same answer each so many steps, else none. */
    private static final class Every implements StepLearner {
        private final int period;
        private final double seconds;
        private int observed;

        Every(int period, double seconds) {
            this.period = period;
            this.seconds = seconds;
        }

        @Override
        public OptionalDouble predictSeconds(StepWorkload step) {
            return observed % period == 0 ? OptionalDouble.of(seconds) : OptionalDouble.empty();
        }

        @Override
        public void observe(StepWorkload step, double wallTimeSeconds) {
            observed++;
        }
    }
}
