/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class ClippedAveragesTest {
    private static final double LIMIT = 0.05;

    private final ClippedAverages averages = new ClippedAverages(2, 0.1, 4);
    private long count;

    @Test
    void theFirstValuesCountAlike() {
        feed(2, i -> 0.1 * (i + 1));

        assertThat(averages.of(0)).isEqualTo((0.1 / 2 * 2 + 0.2) / 3, within(1e-12));
    }

    @Test
    void followsSmallStepsExponentially() {
        feed(100, i -> 0);
        feed(10, i -> 0.01);

        assertThat(averages.of(0)).isEqualTo(0.01 * (1 - Math.pow(0.9, 10)), within(1e-12));
        assertThat(averages.of(1)).isZero();
    }

    @Test
    void aStragglerMovesAnAverageByItsRateTimesTheLimit() {
        feed(100, i -> 0);
        feed(1, i -> 2.3);

        assertThat(averages.of(0)).isEqualTo(0.1 * LIMIT, within(1e-12));
    }

    @Test
    void followsABigStepWithinTenValues() {
        feed(100, i -> 0);
        feed(10, i -> 1);
        assertThat(averages.of(0)).isBetween(0.9, 1.1);
        feed(12, i -> -1);
        assertThat(averages.of(0)).isBetween(-1.1, -0.9);
    }

    @Test
    void staysWhereMostValuesAreIfOneInFourIsFarOff() {
        feed(2000, i -> i % 4 == 3 ? 0.4 : 0);

        // A mean would lie at 0.1.
        assertThat(averages.of(0)).isBetween(0.0, LIMIT / 2);
    }

    @Test
    void againstNormalNoiseItScattersLessThanAMedianOfAsManyValues() {
        Random random = new Random(1);
        double squares = 0;
        int scored = 20_000;
        feed(100, i -> 0.04 * random.nextGaussian());
        for (int i = 0; i < scored; i++) {
            feed(1, j -> 0.04 * random.nextGaussian());
            squares += averages.of(0) * averages.of(0);
        }

        // Rate 0.1 remembers as much as 19 values; their median has a standard deviation of 1.25 / sqrt(19) of theirs.
        assertThat(Math.sqrt(squares / scored)).isLessThan(0.04 * 1.25 / Math.sqrt(19));
    }

    private void feed(int values, IntToDoubleFunction value) {
        for (int i = 0; i < values; i++) {
            averages.add(0, value.applyAsDouble(i), ++count, LIMIT);
        }
    }
}
