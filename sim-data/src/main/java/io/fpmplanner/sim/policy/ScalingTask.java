/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;

/**
 * What an autoscaler is told before a run. Immutable.
 *
 * @param objective when a request is good
 * @param pools an aggregated pool, or a prefill and a decode pool in this order
 * @param profile speeds of an engine as a profiler measures them beforehand; for policies that need such tables
 */
public record ScalingTask(LatencyObjective objective, List<PoolTask> pools, EngineProfile profile) {
    public ScalingTask {
        pools = List.copyOf(pools);
    }
}
