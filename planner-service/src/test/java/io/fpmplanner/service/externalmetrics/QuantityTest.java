/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "-0.0, 0", "7, 7", "1.5, 1500m", "0.0004, 0", "0.05, 50m", "1000, 1k", "2.25, 2250m", "-3, -3"})
    void numbersAreWrittenInCanonicalForm(double value, String text) {
        assertThat(Quantity.ofThousandths(value)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberIsNoQuantity(double value) {
        assertThatThrownBy(() -> Quantity.ofThousandths(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"1Ki, 1024000", "1536, 1536000", "1e3, 1000000", "100u, 1", "-1500u, -2", "12E6, 12000000000"})
    void thousandthsAreRoundedAwayFromZero(String text, long milli) {
        assertThat(Quantity.parse(text).milliValue()).isEqualTo(milli);
    }

    @Property
    void whatIsWrittenReadsAsTheSameNumber(@ForAll @DoubleRange(min = -1e12, max = 1e12) double value) {
        Quantity quantity = Quantity.ofThousandths(value);

        Quantity read = Quantity.parse(quantity.toString());

        assertThat(read.value()).isEqualByComparingTo(quantity.value());
        assertThat(read.value()).isCloseTo(BigDecimal.valueOf(value), Offset.offset(new BigDecimal("0.0005")));
    }
}
