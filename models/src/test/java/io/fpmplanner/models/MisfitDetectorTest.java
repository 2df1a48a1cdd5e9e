/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class MisfitDetectorTest {
    private final MisfitDetector detector = new MisfitDetector();
    private final Random random = new Random(1);

    @Test
    void errorsThatKeepAlternatingAreSuspiciousAtTheSixthStep() {
        feed(1000, 0.03);

        assertThat(suspicions(6, i -> i % 2 == 0 ? 1.2 : -0.8)).containsExactly(5);
        assertThat(detector.steps()).isEqualTo(6);
    }

    @Test
    void aFewStallsInARowAreNot() {
        feed(1000, 0.03);

        assertThat(suspicions(5, i -> 5)).isEmpty();
        assertThat(suspicions(1000, i -> 0.03 * random.nextGaussian())).isEmpty();
        assertThat(detector.steps()).isZero();
    }

    @Test
    void anEngineThatAlwaysScattersWidelyIsHardlyEver() {
        assertThat(suspicions(20_000, i -> 0.3 * random.nextGaussian())).hasSizeLessThan(5);
    }

    @Test
    void comesBackAtGrowingIntervals() {
        feed(1000, 0.03);

        assertThat(suspicions(40, i -> 1)).containsExactly(5, 8, 13, 22, 39);
    }

    @Test
    void beginsAnewOnceTheMisfitHasBeenDealtWith() {
        feed(1000, 0.03);
        assertThat(suspicions(20, i -> 1)).isNotEmpty();
        detector.clear();

        assertThat(detector.steps()).isZero();
        assertThat(suspicions(5, i -> 1)).isEmpty();
        assertThat(suspicions(1, i -> 1)).containsExactly(0);
    }

    private void feed(int frames, double scatter) {
        assertThat(suspicions(frames, i -> scatter * random.nextGaussian())).isEmpty();
    }

    private List<Integer> suspicions(int frames, IntToDoubleFunction logRatio) {
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            if (detector.update(logRatio.applyAsDouble(i))) {
                at.add(i);
            }
        }
        return at;
    }
}
