/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConfirmationTest {
    private final Confirmation confirmed = new Confirmation();

    private int at(double seconds, int value, double lookSeconds) {
        return confirmed.least((long) (seconds * 1e9), value, lookSeconds);
    }

    @Test
    void aNeedCountsOnceItLastedTwoSeconds() {
        at(0, 1, 0);
        assertThat(at(1, 3, 0)).isEqualTo(1);
        assertThat(at(2, 3, 0)).isEqualTo(1);
        assertThat(at(3, 3, 0)).isEqualTo(3);
    }

    @Test
    void aLongTickOfAllFramesConfirmsItself() {
        at(0, 1, 0);
        assertThat(at(5, 3, 0)).isEqualTo(3);
    }

    @Test
    void twoLooksAtASampleMustAgree() {
        at(0, 1, 5);
        assertThat(at(5, 3, 5)).isEqualTo(1);
        assertThat(at(10, 4, 5)).isEqualTo(3);
        assertThat(at(15, 1, 5)).isEqualTo(1);
    }
}
