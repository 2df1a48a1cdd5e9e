/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.SourceFeed;
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
 * @param feeds the sources with the rings that hand their frames to the planner
 * @param nanoClock nanoseconds since the Unix epoch
 */
public record MetricSources(
        Supplier<Optional<PlanView>> plan,
        Supplier<List<EndpointStatus>> endpoints,
        List<String> poolIds,
        List<SourceFeed> feeds,
        LongSupplier nanoClock) {
    public MetricSources {
        poolIds = List.copyOf(poolIds);
        feeds = List.copyOf(feeds);
    }
}
