/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PairedLatencyTest {
    @Test
    void medians_are_taken_side_by_side_and_the_objective_counts_measured_values() {
        PairedLatency pairs = new PairedLatency(2.0);
        pairs.add(1.1, 1.0);
        pairs.add(2.2, 2.0);
        pairs.add(9.9, 3.0);

        PairedLatency.Summary summary = pairs.summary().orElseThrow();

        assertThat(summary.count()).isEqualTo(3);
        assertThat(summary.predictedP50Seconds()).isEqualTo(2.2);
        assertThat(summary.measuredP50Seconds()).isEqualTo(2.0);
        assertThat(summary.deviation()).isCloseTo(0.1, within(1e-12));
        assertThat(summary.sloMetShare()).isCloseTo(2.0 / 3, within(1e-12));
    }

    @Test
    void nothing_measured_is_not_zero() {
        assertThat(new PairedLatency(1).summary()).isEmpty();
    }

    @Test
    void the_oldest_pairs_give_way() {
        PairedLatency pairs = new PairedLatency(1);
        for (int i = 0; i < 100; i++) {
            pairs.add(100, 100);
        }
        for (int i = 0; i < 16_384; i++) {
            pairs.add(1, 1);
        }

        assertThat(pairs.summary().orElseThrow().measuredP50Seconds()).isEqualTo(1);
        assertThat(pairs.summary().orElseThrow().count()).isEqualTo(16_484);
    }
}
