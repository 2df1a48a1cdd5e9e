/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.workload.Request;
import org.junit.jupiter.api.Test;

/** A preempted request finds again what nobody needed of its KV cache. */
class PreemptedResidueTest {
    @Test
    void with_a_prefix_cache_less_is_computed_twice() {
        long without = prefilledTokens(false);
        long with = prefilledTokens(true);

        assertThat(without).isGreaterThan(300 + 100); // A whole request was computed twice.
        assertThat(with).isLessThan(without).isGreaterThanOrEqualTo(300);
    }

    private static long prefilledTokens(boolean caching) {
        RecordingListener recorded = new RecordingListener();
        // 28 blocks of 16: three requests of 100 + 60 tokens need 30 in the end.
        SimulatedEngine engine = new SimulatedEngine(
                new RankIdentity("w", 0),
                EngineSettings.vllm(512, 8, 28 * 16).withPrefixCaching(caching),
                batch -> 0.010,
                recorded,
                0);
        for (int i = 0; i < 3; i++) {
            engine.submit(new Request(i, 0, 100, 0, 60), 0);
        }
        while (engine.step()) {
            assertThat(engine.kvUsedTokens()).isBetween(0, 28 * 16);
            assertThat(engine.steps()).isLessThan(10_000);
        }
        assertThat(engine.preemptions()).isPositive();
        assertThat(recorded.logs).hasSize(3);
        assertThat(engine.kvUsedTokens()).isZero();
        return recorded.steps.stream()
                .mapToLong(step -> step.scheduled().sumPrefillTokens())
                .sum();
    }
}
