/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.sim.engine.BatchingOrder;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.policy.PoolTask;
import io.fpmplanner.sim.policy.ScalingTask;
import java.util.List;
import java.util.OptionalLong;

/** What an operator would configure for the pools of a task; the same rules for all scenarios. */
final class PoolSettingsOfTask {
    private static final double ATTAINMENT = 0.95;
    private static final double UTILISATION = 0.9;

    private PoolSettingsOfTask() {}

    static List<PoolSettings> of(ScalingTask task) {
        return task.pools().stream().map(pool -> settings(task, pool)).toList();
    }

    private static PoolSettings settings(ScalingTask task, PoolTask pool) {
        EngineSettings engine = pool.engine();
        return new PoolSettings(
                pool.id(),
                "",
                role(engine),
                new SloTarget(task.objective().ttftSeconds(), task.objective().itlSeconds(), ATTAINMENT),
                new EngineLimits(
                        engine.maxBatchedTokens(),
                        engine.maxSequences(),
                        OptionalLong.of(engine.kvCapacityTokens()),
                        engine.order() == BatchingOrder.DECODE_FIRST
                                ? SchedulingRule.DECODE_FIRST
                                : SchedulingRule.PREFILL_FIRST),
                new ScalingSettings(
                        pool.minReplicas(),
                        pool.maxReplicas(),
                        UTILISATION,
                        pool.coldStartSeconds(),
                        pool.coldStartSeconds()),
                LivenessSettings.defaults());
    }

    private static Role role(EngineSettings engine) {
        return switch (engine.kind()) {
            case AGGREGATED -> Role.AGGREGATED;
            case PREFILL_ONLY -> Role.PREFILL;
            case DECODE_ONLY -> Role.DECODE;
        };
    }
}
