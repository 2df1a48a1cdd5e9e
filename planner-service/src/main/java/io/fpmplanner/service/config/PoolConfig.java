/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.core.pool.PoolSettings;
import java.util.List;

/**
 * One pool and where its frames come from.
 *
 * @param settings what the planner needs to know about the pool
 * @param sources endpoints of its workers; at least one
 */
public record PoolConfig(PoolSettings settings, List<EndpointSpec> sources) {
    public PoolConfig {
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("sources must have at least one entry such as tcp://10.0.0.7:20380");
        }
    }
}
