/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {
    /** Steps of the histogram. */
    private static final double TOLERANCE = 0.035;

    @Test
    void percentilesAreWithinAStep() {
        Latencies latencies = new Latencies();
        for (int i = 1; i <= 100_000; i++) {
            latencies.add(i * 1_000L);
        }
        assertThat(latencies.count()).isEqualTo(100_000);
        assertThat(latencies.percentileMillis(0.5)).isCloseTo(50, within(50 * TOLERANCE));
        assertThat(latencies.percentileMillis(0.99)).isCloseTo(99, within(99 * TOLERANCE));
    }

    @Test
    void nothingHasNoPercentile() {
        assertThat(new Latencies().percentileMillis(0.99)).isNaN();
    }

    @Test
    void extremesAreKept() {
        Latencies latencies = new Latencies();
        latencies.add(-5);
        latencies.add(Long.MAX_VALUE);
        assertThat(latencies.count()).isEqualTo(2);
        assertThat(latencies.percentileMillis(0.5)).isCloseTo(0, within(1e-5));
        assertThat(latencies.percentileMillis(1)).isGreaterThan(3_600_000);
    }
}
