/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineSettings;

/**
 * A pool as its operator describes it to an autoscaler. Immutable.
 *
 * @param id the pool
 * @param engine kind and limits of its engines
 * @param initialReplicas ready at the beginning
 * @param minReplicas never fewer
 * @param maxReplicas never more
 * @param coldStartSeconds from order to readiness, nominally
 */
public record PoolTask(
        String id,
        EngineSettings engine,
        int initialReplicas,
        int minReplicas,
        int maxReplicas,
        double coldStartSeconds) {
    /** The nearest number of replicas within the bounds. */
    public int clip(int replicas) {
        return Math.max(minReplicas, Math.min(maxReplicas, replicas));
    }
}
