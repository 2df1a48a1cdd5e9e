/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedForecast;
import org.jspecify.annotations.Nullable;

/** Takes to the planner what an orchestrator says of a pool; any thread, takes effect soon after. Pools are by order of configuration. */
public interface OrchestratorInput {
    /** The replicas of a pool; null to withdraw what was said. */
    void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet);

    /** Requests that wait in front of a pool, until the given moment, nanoseconds since the Unix epoch. */
    void supplyQueue(int poolIndex, double requests, long validUntilNanos);

    /** Arrivals that are expected of a pool; null to withdraw what was said. */
    void supplyForecast(int poolIndex, @Nullable SuppliedForecast forecast);
}
