/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SortedWindowsTest {
    @Property(tries = 200)
    void agreesWithASortedCopyOfTheLastValues(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int capacity) {
        Random random = new Random(seed);
        SortedWindows windows = new SortedWindows(3, capacity);
        List<Deque<Double>> expected = List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
        for (int i = 0; i < 200; i++) {
            int stream = random.nextInt(3);
            double value = random.nextInt(10) - 5;
            windows.add(stream, value);
            expected.get(stream).add(value);
            if (expected.get(stream).size() > capacity) {
                expected.get(stream).remove();
            }
            List<Double> sorted = new ArrayList<>(expected.get(stream));
            Collections.sort(sorted);
            assertThat(windows.size(stream)).isEqualTo(sorted.size());
            assertThat(windows.quantile(stream, 0)).isEqualTo(sorted.get(0));
            assertThat(windows.quantile(stream, 1)).isEqualTo(sorted.get(sorted.size() - 1));
        }
    }

    @Test
    void quantilesInterpolateBetweenRanks() {
        SortedWindows windows = new SortedWindows(1, 9);
        for (int i = 1; i <= 9; i++) {
            windows.add(0, i);
        }
        assertThat(windows.quantile(0, 0.5)).isEqualTo(5);
        assertThat(windows.quantile(0, 0.25)).isEqualTo(2.5, within(1e-9));
        assertThat(windows.quantile(0, 0.9)).isEqualTo(9);
    }
}
