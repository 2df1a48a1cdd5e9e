/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

/** Where the orchestrator's count of replicas goes. */
@FunctionalInterface
public interface FleetInput {
    /**
     * Says how many replicas there are; any thread.
     *
     * @param poolIndex the pool, by order of configuration
     * @param ready replicas that serve
     * @param pending replicas wanted and not ready
     */
    void supply(int poolIndex, int ready, int pending);
}
