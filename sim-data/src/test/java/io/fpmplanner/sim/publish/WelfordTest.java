/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WelfordTest {
    @Property
    void agrees_with_the_textbook_formula_in_exact_arithmetic(
            @ForAll @Size(min = 1, max = 300) List<@IntRange(min = 0, max = 1_000_000) Integer> lengths) {
        Welford welford = new Welford();
        lengths.forEach(welford::add);

        double exact = exactPopulationVariance(lengths);

        // Chan, Golub, LeVeque 1983: relative error about n * eps * condition number; 1e-9 holds it for n <= 300 here.
        assertThat(welford.populationVariance()).isCloseTo(exact, within(1e-9 * Math.max(1.0, exact)));
        assertThat(welford.count()).isEqualTo(lengths.size());
    }

    @Test
    void does_not_cancel_where_the_sum_of_squares_would() {
        Welford welford = new Welford();
        for (double offset : new double[] {4, 7, 13, 16}) {
            welford.add(1e9 + offset);
        }

        assertThat(welford.populationVariance()).isEqualTo(22.5);
        assertThat(welford.mean()).isEqualTo(1e9 + 10);
    }

    @Test
    void nothing_has_no_variance_and_clearing_returns_to_it() {
        Welford welford = new Welford();
        welford.add(3);
        welford.add(5);
        welford.clear();

        assertThat(welford.populationVariance()).isZero();
        assertThat(welford.mean()).isZero();
    }

    private static double exactPopulationVariance(List<Integer> values) {
        BigDecimal n = BigDecimal.valueOf(values.size());
        BigDecimal sum = values.stream().map(BigDecimal::valueOf).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal squares =
                values.stream().map(value -> BigDecimal.valueOf(value).pow(2)).reduce(BigDecimal.ZERO, BigDecimal::add);
        return squares.multiply(n)
                .subtract(sum.pow(2))
                .divide(n.pow(2), MathContext.DECIMAL128)
                .doubleValue();
    }
}
