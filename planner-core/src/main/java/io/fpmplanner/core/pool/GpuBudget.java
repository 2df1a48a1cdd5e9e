/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * Most GPUs that all pools on a type of GPU may occupy together, draining replicas included.
 *
 * @param gpuType as in {@link ReplicaCost#gpuType()}; empty for all pools of whatever type
 * @param maxGpus &ge; 1
 */
public record GpuBudget(String gpuType, int maxGpus) {
    public GpuBudget {
        Checks.atLeast("maxGpus", maxGpus, 1);
    }

    /** Whether a pool draws on this budget. */
    public boolean covers(PoolSettings pool) {
        return gpuType.isEmpty() || gpuType.equals(pool.scaling().cost().gpuType());
    }
}
