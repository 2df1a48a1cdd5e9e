/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.fpmplanner.core.pool.SuppliedFleet;

/** Where the orchestrator's count of replicas goes. */
@FunctionalInterface
public interface FleetInput {
    /**
     * Says how many replicas there are; any thread.
     *
     * @param poolIndex the pool, by order of configuration
     * @param fleet what was read; forgotten after its time if nothing is read any more
     */
    void supply(int poolIndex, SuppliedFleet fleet);
}
