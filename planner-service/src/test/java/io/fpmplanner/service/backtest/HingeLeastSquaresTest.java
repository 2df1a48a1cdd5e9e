/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HingeLeastSquaresTest {
    @Test
    void findsAKneeThatIsThere() {
        // Flat up to 825 tokens, as launches bound short prefills, then 20 us a token.
        DoubleUnaryOperator law = tokens -> 0.03 + 20e-6 * Math.max(0, tokens - 825);

        Fit fit = HingeLeastSquares.INSTANCE.fit(samples(law)).orElseThrow();

        for (double tokens : new double[] {10, 500, 825, 1000, 1600, 5000}) {
            assertThat(fit.at(tokens, 0)).isCloseTo(law.applyAsDouble(tokens), within(1e-9));
        }
    }

    @Test
    void aLineNeedsNoKneeAndADecliningOneHasNone() {
        Fit line = HingeLeastSquares.INSTANCE
                .fit(samples(tokens -> 0.01 + 1e-5 * tokens))
                .orElseThrow();

        assertThat(line.at(3000, 0)).isCloseTo(0.04, within(1e-6));
        assertThat(HingeLeastSquares.INSTANCE.fit(samples(tokens -> 0.05 - 1e-5 * tokens)))
                .isEmpty();
    }

    @Test
    void shortPrefillsCountByTheirOwnTime() {
        // Two laws that no hinge fits both: growth that slows down. Unweighted, the long end would rule.
        DoubleUnaryOperator law = tokens -> 1e-3 * Math.sqrt(tokens);
        List<Sample> samples = samples(law);

        Fit fit = HingeLeastSquares.INSTANCE.fit(samples).orElseThrow();

        LinearFit unweighted = OrdinaryLeastSquares.free(samples.stream()
                .map(sample -> new Sample(sample.first(), 0, sample.seconds()))
                .toList());
        double shortest = law.applyAsDouble(25);
        assertThat(Math.abs(fit.at(25, 0) - shortest)).isLessThan(0.5 * Math.abs(unweighted.at(25, 0) - shortest));
    }

    private static List<Sample> samples(DoubleUnaryOperator law) {
        return IntStream.rangeClosed(1, 64)
                .mapToObj(i -> new Sample(25 * i, 0, law.applyAsDouble(25 * i)))
                .toList();
    }
}
