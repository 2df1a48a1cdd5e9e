/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;
import org.junit.jupiter.api.Test;

class OrdinaryLeastSquaresTest {
    @Property(tries = 200)
    void agreesWithAnotherSolver(@ForAll long seed, @ForAll @IntRange(min = 5, max = 64) int count) {
        Random random = new Random(seed);
        List<Sample> samples = IntStream.range(0, count)
                .mapToObj(i -> new Sample(
                        8192 * random.nextDouble(), 1e6 * random.nextDouble(), 0.001 + 0.1 * random.nextDouble()))
                .toList();
        OLSMultipleLinearRegression other = new OLSMultipleLinearRegression();
        other.newSampleData(
                samples.stream().mapToDouble(Sample::seconds).toArray(),
                samples.stream()
                        .map(sample -> new double[] {sample.first(), sample.second()})
                        .toArray(double[][]::new));
        double[] expected = other.estimateRegressionParameters();

        LinearFit fit = OrdinaryLeastSquares.free(samples);

        // Both solve a problem whose condition is at most some 1e7 in doubles.
        assertThat(fit.intercept()).isCloseTo(expected[0], within(1e-8));
        assertThat(8192 * fit.first()).isCloseTo(8192 * expected[1], within(1e-8));
        assertThat(1e6 * fit.second()).isCloseTo(1e6 * expected[2], within(1e-8));
    }

    @Test
    void fitsByHand() {
        // About the means 2 and 4: slope (-1 * -2 + 0 + 1 * 2) / (1 + 0 + 1) = 2, intercept 4 - 2 * 2.
        LinearFit fit =
                OrdinaryLeastSquares.free(List.of(new Sample(1, 0, 2), new Sample(2, 0, 4), new Sample(3, 0, 6)));

        assertThat(fit.first()).isCloseTo(2, within(1e-12));
        assertThat(fit.intercept()).isCloseTo(0, within(1e-12));
    }

    @Test
    void anAxisThatNeverVariedHasNoSlope() {
        List<Sample> samples = IntStream.range(0, 10)
                .mapToObj(i -> new Sample(i, 7, 1 + 0.5 * i))
                .toList();

        LinearFit fit = OrdinaryLeastSquares.free(samples);

        assertThat(fit.second()).isZero();
        assertThat(fit.at(20, 7)).isCloseTo(11, within(1e-9));
    }

    @Test
    void needsFiveSamples() {
        Regression squares = new Regression(SampleGrid.ofOneAxis(), OrdinaryLeastSquares.STRICT);
        for (int i = 1; i <= 4; i++) {
            squares.add(i, 0, i);
            assertThat(squares.seconds(1, 0)).isEmpty();
        }

        squares.add(5, 0, 5);

        assertThat(squares.seconds(10, 0).getAsDouble()).isCloseTo(10, within(1e-9));
    }

    @Test
    void aNegativeSlopeGivesNoAnswerUntilItIsGone() {
        Regression squares = new Regression(grid(), OrdinaryLeastSquares.STRICT);
        IntStream.range(0, 5).forEach(i -> squares.add(i, 0, 10 - i));
        assertThat(squares.seconds(1, 0)).isEmpty();

        IntStream.range(0, 5).forEach(i -> squares.add(100 + i, 0, 100));

        assertThat(squares.seconds(100, 0)).isPresent();
    }

    @Test
    void onlyTheFirstSlopeIsClampedWhereThatIsTheRule() {
        // 10 - first + 2 second, on a full design.
        Regression clamping = new Regression(grid(), OrdinaryLeastSquares.CLAMPING_FIRST);
        Regression falling = new Regression(grid(), OrdinaryLeastSquares.CLAMPING_FIRST);
        for (int i = 0; i < 9; i++) {
            int a = i % 3;
            int b = i / 3;
            clamping.add(a, b, 10 - a + 2 * b);
            falling.add(a, b, 10 + a - 2 * b);
        }

        // The intercept stays that of the free fit.
        assertThat(clamping.seconds(2, 1).getAsDouble()).isCloseTo(12, within(1e-9));
        assertThat(falling.seconds(2, 1)).isEmpty();
    }

    @Test
    void answersHaveAFloor() {
        Regression squares = new Regression(SampleGrid.ofOneAxis(), OrdinaryLeastSquares.STRICT);
        IntStream.range(10, 20).forEach(i -> squares.add(i, 0, i - 9));

        assertThat(squares.seconds(1, 0)).hasValue(1e-6);
    }

    private static SampleGrid grid() {
        return SampleGrid.ofTwoAxes(DoubleUnaryOperator.identity());
    }
}
