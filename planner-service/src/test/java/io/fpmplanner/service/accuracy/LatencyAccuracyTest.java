/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predictions against simulated truth at fixed seeds, within what is promised. */
class LatencyAccuracyTest {
    @ParameterizedTest
    @CsvSource({"chat vllm L40S, 0.6", "chat vllm L40S, 0.9", "mixed sglang H100, 0.6", "prefix hits vllm RTX 4090, 0.6"
    })
    void percentilesHold(String name, double utilisation) {
        Scenario scenario = Scenario.named(name);
        Load load = Load.steady(utilisation);
        try (AccuracyRun run = new AccuracyRun(scenario, load.rate(Saturation.requestsPerSecond(scenario)), 11)) {
            run.runTo(load.measureFromSeconds())
                    .count()
                    .runTo(load.measureFromSeconds() + LatencyAccuracy.MEASURE_SECONDS);
            NowScore score = NowScore.of(run, Scenario.POOL);
            assertThat(score.ttft().orElseThrow().p50Error()).isCloseTo(0, within(0.10));
            assertThat(score.ttft().orElseThrow().p90Error()).isCloseTo(0, within(0.20));
            assertThat(score.ttft().orElseThrow().met90()).isBetween(0.85, 0.95);
            assertThat(score.itl().orElseThrow().p50Error()).isCloseTo(0, within(0.05));
            assertThat(score.itl().orElseThrow().p90Error()).isCloseTo(0, within(0.10));
        }
    }
}
