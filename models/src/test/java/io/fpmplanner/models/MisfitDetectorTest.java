/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class MisfitDetectorTest {
    private final MisfitDetector detector = new MisfitDetector();
    private final Random random = new Random(1);

    @Test
    void errorsThatKeepAlternatingRaiseAnAlarmWithinTenSteps() {
        feed(1000, 0.03);

        assertThat(firstAlarm(50, i -> i % 2 == 0 ? 1.2 : -0.8)).isBetween(8, 9);
    }

    @Test
    void eightStallsInARowRaiseNone() {
        feed(1000, 0.03);

        assertThat(firstAlarm(8, i -> 5)).isEqualTo(-1);
        assertThat(firstAlarm(1000, i -> 0.03 * random.nextGaussian())).isEqualTo(-1);
    }

    @Test
    void anEngineThatAlwaysScattersWidelyRaisesNone() {
        assertThat(firstAlarm(20_000, i -> 0.5 * random.nextGaussian())).isEqualTo(-1);
    }

    @Test
    void staysQuietForAWhileAfterAnAlarm() {
        feed(1000, 0.03);
        assertThat(firstAlarm(50, i -> 1)).isNotNegative();
        assertThat(firstAlarm(59, i -> 1)).isEqualTo(-1);
        assertThat(firstAlarm(50, i -> 1)).isNotNegative();
    }

    private void feed(int frames, double scatter) {
        assertThat(firstAlarm(frames, i -> scatter * random.nextGaussian())).isEqualTo(-1);
    }

    private int firstAlarm(int frames, IntToDoubleFunction logRatio) {
        for (int i = 0; i < frames; i++) {
            if (detector.update(logRatio.applyAsDouble(i))) {
                return i;
            }
        }
        return -1;
    }
}
