/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WeightedSamplesTest {
    private final WeightedSamples samples = new WeightedSamples();

    @Test
    void oneValueIsAllThereIs() {
        samples.add(3, 0.25);
        assertThat(samples.spread()).isEqualTo(new LatencySpread(3, 3, 3, 3));
    }

    @Test
    void evenWeightsGiveTheUsualQuantiles() {
        for (int i = 1000; i >= 1; i--) {
            samples.add(i, 2);
        }
        LatencySpread spread = samples.spread();
        assertThat(spread.meanSeconds()).isCloseTo(500.5, within(1e-9));
        assertThat(spread.p50Seconds()).isCloseTo(500.5, within(1.0));
        assertThat(spread.p90Seconds()).isCloseTo(900.5, within(1.0));
    }

    @Test
    void weightsCount() {
        samples.add(1, 8);
        samples.add(100, 1);
        samples.add(100, 1);
        assertThat(samples.spread().meanSeconds()).isCloseTo(20.8, within(1e-9));
        assertThat(samples.spread().p50Seconds()).isEqualTo(1);
        assertThat(samples.spread().p90Seconds()).isEqualTo(100);
    }
}
