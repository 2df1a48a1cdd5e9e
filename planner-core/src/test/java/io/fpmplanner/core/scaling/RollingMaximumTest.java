/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RollingMaximumTest {
    @Test
    void agreesWithANaiveMaximum() {
        SplittableRandom random = new SplittableRandom(5);
        RollingMaximum maximum = new RollingMaximum(10);
        Deque<long[]> naive = new ArrayDeque<>();
        long now = 0;
        for (int i = 0; i < 5000; i++) {
            now += random.nextLong(3_000_000_000L);
            int value = random.nextInt(20);
            maximum.add(now, value);
            naive.addLast(new long[] {now, value});
            long edge = now - 10_000_000_000L;
            naive.removeIf(entry -> entry[0] < edge);
            assertThat(maximum.maximum(10, now)).isEqualTo((int)
                    naive.stream().mapToLong(entry -> entry[1]).max().orElseThrow());
        }
    }

    @Test
    void isFullOnlyAfterTheWholeWindow() {
        RollingMaximum maximum = new RollingMaximum(10);
        assertThat(maximum.covers(10, 0)).isFalse();
        maximum.add(5_000_000_000L, 3);
        assertThat(maximum.covers(10, 14_999_999_999L)).isFalse();
        assertThat(maximum.covers(10, 15_000_000_000L)).isTrue();
    }

    @Test
    void whatIsKnownBetterReplacesTheNewestValuesOnly() {
        RollingMaximum maximum = new RollingMaximum(60);
        for (int second = 0; second < 50; second++) {
            maximum.add(second * 1_000_000_000L, second < 30 ? 3 : 5);
        }
        maximum.restate(30_000_000_000L, 1);
        maximum.add(50_000_000_000L, 1);
        assertThat(maximum.maximum(60, 50_000_000_000L)).as("of before").isEqualTo(3);
        maximum.add(91_000_000_000L, 1);
        assertThat(maximum.maximum(60, 91_000_000_000L)).isEqualTo(1);
    }
}
