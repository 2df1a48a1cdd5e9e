/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
    /** Where no slope wants to be negative, it is the ordinary fit; elsewhere it is worse than that, and cannot be improved. */
    @Property(tries = 300)
    void isTheBestFitWithSlopesOfAtLeastZero(@ForAll long seed) {
        Random random = new Random(seed);
        double first = random.nextGaussian();
        double second = random.nextGaussian();
        List<Sample> samples = IntStream.range(0, 40)
                .mapToObj(i -> {
                    double a = 100 * random.nextDouble();
                    double b = 0.5 * a + 100 * random.nextDouble();
                    return new Sample(a, b, 5 + first * a + second * b + 10 * random.nextGaussian());
                })
                .toList();
        LinearFit free = OrdinaryLeastSquares.free(samples);
        Optional<LinearFit> fit = NonNegativeLeastSquares.INSTANCE.fit(samples);

        if (free.first() >= 0 && free.second() >= 0) {
            assertThat(fit.orElseThrow().first()).isCloseTo(free.first(), within(1e-9));
            assertThat(fit.orElseThrow().second()).isCloseTo(free.second(), within(1e-9));
            assertThat(fit.orElseThrow().intercept()).isCloseTo(free.intercept(), within(1e-7));
            return;
        }
        LinearFit best = fit.orElse(new LinearFit(
                samples.stream().mapToDouble(Sample::seconds).average().orElseThrow(), 0, 0));
        assertThat(Math.min(best.first(), best.second())).isZero();
        assertThat(Math.max(best.first(), best.second())).isNotNegative();
        double least = squaredError(best, samples);
        for (int i = 0; i < 50; i++) {
            double size = Math.pow(10, -6 + 5 * random.nextDouble());
            LinearFit other = new LinearFit(
                    best.intercept() + 10 * size * random.nextGaussian(),
                    Math.max(0, best.first() + size * random.nextGaussian()),
                    Math.max(0, best.second() + size * random.nextGaussian()));
            assertThat(squaredError(other, samples)).isGreaterThanOrEqualTo(least * (1 - 1e-12));
        }
    }

    @Test
    void dropsTheSlopeThatWouldBeNegative() {
        // 10 + 2 first - second on a full design without correlation: the best is 2 first around a mean lower by one.
        List<Sample> samples = IntStream.range(0, 9)
                .mapToObj(i -> {
                    int a = i % 3;
                    int b = i / 3;
                    return new Sample(a, b, 10 + 2 * a - b);
                })
                .toList();

        LinearFit fit = NonNegativeLeastSquares.INSTANCE.fit(samples).orElseThrow();

        assertThat(fit.first()).isCloseTo(2, within(1e-9));
        assertThat(fit.second()).isZero();
        assertThat(fit.intercept()).isCloseTo(9, within(1e-9));
    }

    @Test
    void theInterceptMayBeNegativeButAnswersHaveAFloor() {
        Regression squares = NonNegativeLeastSquares.regression();
        IntStream.range(10, 20).forEach(i -> squares.add(i, 3, i - 9));

        assertThat(squares.seconds(30, 3).getAsDouble()).isCloseTo(21, within(1e-6));
        assertThat(squares.seconds(1, 3)).hasValue(1e-9);
    }

    @Test
    void aFitWithoutSlopesDoesNotReplaceTheOneBefore() {
        Regression squares = NonNegativeLeastSquares.regression();
        IntStream.range(0, 4).forEach(i -> squares.add(i, 0, i));
        assertThat(squares.seconds(2, 0)).as("four samples are too few").isEmpty();

        IntStream.range(4, 8).forEach(i -> squares.add(i, 0, i));
        assertThat(squares.seconds(6, 0).getAsDouble()).isCloseTo(6, within(1e-6));

        IntStream.range(0, 1000).forEach(i -> squares.add(i % 8, 0, 100 - i % 8));
        assertThat(squares.seconds(6, 0).getAsDouble()).isCloseTo(6, within(1e-6));
    }

    @Test
    void equalAxesShareTheSlope() {
        List<Sample> samples = IntStream.range(0, 10)
                .mapToObj(i -> new Sample(i, i, 1 + 4 * i))
                .toList();

        LinearFit fit = NonNegativeLeastSquares.INSTANCE.fit(samples).orElseThrow();

        assertThat(fit.at(20, 20)).isCloseTo(81, within(1e-4));
        assertThat(fit.first()).isNotNegative();
        assertThat(fit.second()).isNotNegative();
    }

    @Test
    void withoutAnythingThatVariesThereIsNoFit() {
        assertThat(NonNegativeLeastSquares.INSTANCE.fit(List.of(new Sample(1, 1, 1), new Sample(1, 1, 3))))
                .isEmpty();
    }

    private static double squaredError(LinearFit fit, List<Sample> samples) {
        return samples.stream()
                .mapToDouble(sample -> Math.pow(fit.at(sample.first(), sample.second()) - sample.seconds(), 2))
                .sum();
    }
}
