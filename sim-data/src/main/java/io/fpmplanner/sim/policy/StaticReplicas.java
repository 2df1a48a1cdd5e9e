/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;

/** The same number of replicas for ever: what over-provisioning costs, and the bar that scaling has to clear. */
public final class StaticReplicas implements Autoscaler {
    private final ScalingTask task;
    private final int replicas;

    /** @param replicas of each pool; clipped to its bounds */
    public StaticReplicas(ScalingTask task, int replicas) {
        this.task = task;
        this.replicas = replicas;
    }

    @Override
    public int initialReplicas(PoolTask pool) {
        return pool.clip(replicas);
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        String reason = "always " + replicas;
        return task.pools().stream()
                .map(pool -> new PoolDecision(pool.id(), pool.clip(replicas), reason))
                .toList();
    }
}
