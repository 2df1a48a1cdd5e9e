/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameRing;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where metrics are read from at a scrape.
 *
 * @param plan the newest plan, empty before the first
 * @param endpoints status of all endpoints
 * @param poolIds in the order of configuration
 * @param ring hand-off to the planner
 * @param nanoClock nanoseconds since the Unix epoch
 */
public record MetricSources(
        Supplier<Optional<PlanView>> plan,
        Supplier<List<EndpointStatus>> endpoints,
        List<String> poolIds,
        FrameRing ring,
        LongSupplier nanoClock) {
    public MetricSources {
        poolIds = List.copyOf(poolIds);
    }
}
