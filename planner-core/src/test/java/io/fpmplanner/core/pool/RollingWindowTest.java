/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RollingWindowTest {
    @Test
    void agreesWithANaiveWindow() {
        SplittableRandom random = new SplittableRandom(1);
        RollingWindow window = new RollingWindow(2, 40, 1000);
        Deque<long[]> naive = new ArrayDeque<>();
        long now = 0;
        long[] row = new long[2];
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(100) == 0 ? 900 : random.nextInt(60);
            row[0] = random.nextLong(1000);
            row[1] = -random.nextLong(5);
            window.add(now, row);
            long edge = now - 1000;
            naive.addLast(new long[] {now, row[0], row[1]});
            naive.removeIf(entry -> entry[0] < edge);
            while (naive.size() > 40) {
                naive.removeFirst();
            }
            assertThat(window.size()).isEqualTo(naive.size());
            assertThat(window.sum(0))
                    .isEqualTo(naive.stream().mapToLong(entry -> entry[1]).sum());
            assertThat(window.sum(1))
                    .isEqualTo(naive.stream().mapToLong(entry -> entry[2]).sum());
            assertThat(window.spanNanos(now)).isEqualTo(now - naive.getFirst()[0]);
            assertThat(window.value(0, 0)).isEqualTo(naive.getFirst()[1]);
            assertThat(window.value(window.size() - 1, 0)).isEqualTo(row[0]);
        }
        window.expire(now + 5000);
        assertThat(window.size()).isZero();
        assertThat(window.sum(0)).isZero();
    }

    @Test
    void clearForgetsEverything() {
        RollingWindow window = new RollingWindow(1, 4, 1000);
        window.add(1, new long[] {7});
        window.clear();
        assertThat(window.size()).isZero();
        assertThat(window.sum(0)).isZero();
        window.add(2, new long[] {3});
        assertThat(window.sum(0)).isEqualTo(3);
    }
}
