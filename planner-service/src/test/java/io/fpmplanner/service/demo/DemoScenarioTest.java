/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two cycles of the demo's load in virtual time: what the demo promises, seed for seed. */
class DemoScenarioTest {
    private static final int CYCLE = (int) DemoScenario.CYCLE_SECONDS;
    private static VirtualDemo demo;

    @BeforeAll
    static void runTwoCycles() throws Exception {
        try (DemoPorts ports = DemoPorts.claim(DemoScenario.POOLS, DemoScenario.SLOTS)) {
            demo = new VirtualDemo(ports, 1);
            demo.runTo(2 * CYCLE + 20);
        }
    }

    @Test
    void recommendations_go_up_and_come_down_again_in_each_cycle() {
        for (String pool : DemoScenario.POOLS) {
            assertThat(desired(pool, 0, 20)).as(pool).isBetween(1, 2);
            assertThat(desired(pool, 50, 80)).as(pool).isBetween(4, 8);
            assertThat(lowest(pool, 110, 145)).as(pool).isBetween(1, 2);
            assertThat(desired(pool, 170, 200)).as(pool).isBetween(4, 8);
            assertThat(lowest(pool, 230, 260)).as(pool).isBetween(1, 3);
        }
    }

    @Test
    void predictions_at_arrival_have_the_median_that_is_then_measured() {
        assertThat(demo.ttft
                        .get(DemoScenario.AGGREGATED)
                        .summary()
                        .orElseThrow()
                        .deviation())
                .isCloseTo(0, within(0.25));
        assertThat(demo.itl.get(DemoScenario.AGGREGATED).summary().orElseThrow().deviation())
                .isCloseTo(0, within(0.25));
        assertThat(demo.ttft.get(DemoScenario.PREFILL).summary().orElseThrow().deviation())
                .isCloseTo(0, within(0.25));
        assertThat(demo.itl.get(DemoScenario.DECODE).summary().orElseThrow().deviation())
                .isCloseTo(0, within(0.25));
    }

    @Test
    void most_requests_meet_the_objectives() {
        assertThat(demo.ttft
                        .get(DemoScenario.AGGREGATED)
                        .summary()
                        .orElseThrow()
                        .sloMetShare())
                .isGreaterThan(0.9);
        assertThat(demo.itl.get(DemoScenario.AGGREGATED).summary().orElseThrow().sloMetShare())
                .isGreaterThan(0.9);
        // An eightfold rise within a minute: the prefill pool is late by a cold start on the way up.
        assertThat(demo.ttft.get(DemoScenario.PREFILL).summary().orElseThrow().sloMetShare())
                .isGreaterThan(0.85);
        assertThat(demo.itl.get(DemoScenario.DECODE).summary().orElseThrow().sloMetShare())
                .isGreaterThan(0.9);
    }

    @Test
    void every_decision_has_a_reason_and_unknown_is_never_a_number_below_the_fleet() {
        for (String pool : DemoScenario.POOLS) {
            for (VirtualDemo.Moment moment : demo.moments.get(pool)) {
                Recommendation recommendation = moment.plan().recommendation();
                assertThat(recommendation.message()).isNotBlank();
                if (recommendation.status() == ScalingStatus.UNDECIDED) {
                    recommendation
                            .desired()
                            .ifPresent(desired -> assertThat(desired)
                                    .isGreaterThanOrEqualTo(
                                            recommendation.fleet().ready()));
                }
            }
        }
    }

    @Test
    void nothing_is_refused_and_every_replica_finds_a_place() {
        for (String pool : DemoScenario.POOLS) {
            List<VirtualDemo.Moment> moments = demo.moments.get(pool);
            assertThat(moments.get(moments.size() - 1).state().refused())
                    .as(pool)
                    .isZero();
            assertThat(moments.get(moments.size() - 1).state().failedStarts())
                    .as(pool)
                    .isZero();
        }
    }

    private static int desired(String pool, int from, int to) {
        return window(pool, from, to).stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    private static int lowest(String pool, int from, int to) {
        return window(pool, from, to).stream().mapToInt(Integer::intValue).min().orElseThrow();
    }

    private static List<Integer> window(String pool, int from, int to) {
        return demo.moments.get(pool).stream()
                .filter(moment -> moment.seconds() > from && moment.seconds() <= to)
                .filter(moment -> moment.plan().recommendation().desired().isPresent())
                .map(moment -> moment.plan().recommendation().desired().getAsInt())
                .toList();
    }
}
