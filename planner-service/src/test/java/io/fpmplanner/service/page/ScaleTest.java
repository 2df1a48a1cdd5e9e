/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void ticksAreRoundAndFew() {
        assertThat(Scale.linear(0, 6850).ticks()).containsExactly(0.0, 2000.0, 4000.0, 6000.0);
        assertThat(Scale.linear(3325, 3825).ticks()).containsExactly(3400.0, 3500.0, 3600.0, 3700.0, 3800.0);
        assertThat(new Scale(0.001, 10, true).ticks())
                .usingElementComparator((a, b) -> Math.abs(a / b - 1) < 1e-9 ? 0 : Double.compare(a, b))
                .containsExactly(0.001, 0.01, 0.1, 1.0, 10.0);
    }

    @Test
    void valuesBeyondTheEndsArePutOnThem() {
        Scale error = new Scale(0.001, 10, true);
        assertThat(error.place(0)).isZero();
        assertThat(error.place(1e9)).isEqualTo(1);
        assertThat(error.place(0.1)).isCloseTo(0.5, within(1e-12));
    }

    @Property
    void decadesHoldWhatTheyWereMadeFor(
            @ForAll @DoubleRange(min = -6, max = 3) double exponent,
            @ForAll @DoubleRange(min = 1, max = 1e3) double ratio) {
        double low = Math.pow(10, exponent);
        Scale scale = Scale.decades(low, low * ratio);
        // Powers of ten are rounded.
        assertThat(scale.low()).isLessThanOrEqualTo(low * (1 + 1e-12));
        assertThat(scale.high()).isGreaterThanOrEqualTo(low * ratio * (1 - 1e-12));
        assertThat(scale.ticks()).hasSizeBetween(2, 8);
    }
}
