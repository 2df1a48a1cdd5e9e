/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;

/** Decides how many replicas pools should have. One run, one instance; called from one thread. */
public interface Autoscaler {
    /**
     * Decides once.
     *
     * @return what each pool should have; a pool that is not named keeps what was ordered before
     */
    List<PoolDecision> decide(FleetObservation observation);

    /** Time between two decisions, seconds; &ge; 1. */
    default int intervalSeconds() {
        return 1;
    }

    /** Whether it looks at the engines' frames; the others are spared the work of collecting them. */
    default boolean readsFrames() {
        return false;
    }

    /** Replicas that are ready when the run begins; a policy without cold starts may ask for its own number. */
    default int initialReplicas(PoolTask pool) {
        return pool.initialReplicas();
    }
}
