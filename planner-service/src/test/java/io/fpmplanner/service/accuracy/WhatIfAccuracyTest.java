/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fpmplanner.service.accuracy.WhatIfAccuracy.Change;
import io.fpmplanner.service.accuracy.WhatIfAccuracy.Compared;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What-if answers against really simulating the same at fixed seeds, within what is promised; all in virtual time. */
class WhatIfAccuracyTest {
    private static final List<Change> CHANGES =
            List.of(new Change("+1 replica", Scenario.REPLICAS + 1, 1), new Change("x2 rate", Scenario.REPLICAS, 2));

    @ParameterizedTest
    @CsvSource({"chat vllm L40S, 0.3", "mixed sglang H100, 0.3"})
    void answersHold(String name, double utilisation) {
        Scenario scenario = Scenario.named(name);
        double saturated = Saturation.requestsPerSecond(scenario);
        List<Compared> compared = WhatIfAccuracy.compare(scenario, saturated, utilisation, CHANGES, true);

        assertThat(compared).hasSize(2).allSatisfy(one -> {
            assertThat(one.within(0.15)).as(one.line()).isTrue();
            assertThat(one.inRange()).as(one.line()).isGreaterThanOrEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat vllm L40S", "disagg vllm H100"})
    void moreThanTheRealFleetCompletesIsCalledUnstable(String name) {
        Scenario scenario = Scenario.named(name);
        double saturated = Saturation.requestsPerSecond(scenario);
        Change less = new Change("less", Scenario.REPLICAS, 1.4);
        Change more = new Change("more", Scenario.REPLICAS, 1.85);

        assertThat(WhatIfAccuracy.isStable(scenario, saturated, 0.6, less)).isTrue();
        assertThat(WhatIfAccuracy.isStable(scenario, saturated, 0.6, more)).isFalse();
    }

    /** Preempted requests find most of their KV cache again; with all of it computed anew it would be 7 % less. */
    @Test
    void aCacheThatIsTheBottleneckBearsWhatTheRealFleetCompletes() {
        Scenario scenario = Scenario.named("prefix hits vllm RTX 4090");
        double saturated = Saturation.requestsPerSecond(scenario);
        Change less = new Change("less", Scenario.REPLICAS, 1.6);

        assertThat(WhatIfAccuracy.saturated(scenario, saturated, 0.6, less)).isCloseTo(saturated, withinPercentage(5));
    }
}
