/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import java.util.List;

/**
 * What a planner needs to know when its caller hands frames over. Immutable.
 *
 * @param pools at least one, of different ids
 * @param gpuBudgets GPUs that they may have together
 */
public record PoolPlanning(List<PoolSettings> pools, List<GpuBudget> gpuBudgets) {
    public PoolPlanning {
        pools = List.copyOf(pools);
        gpuBudgets = List.copyOf(gpuBudgets);
    }
}
