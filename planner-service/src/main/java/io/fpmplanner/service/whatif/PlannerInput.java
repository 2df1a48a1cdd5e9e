/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes to the planner what clients say of a pool; any thread, takes effect soon after. Pools are by order of configuration. */
public interface PlannerInput {
    /** The workload of a pool; null to withdraw it. */
    void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload);

    /** What requests were measured to see; tells what became of it. */
    Future<ObservationCount> observe(int poolIndex, List<LatencyObservation> observations);
}
