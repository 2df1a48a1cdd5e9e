/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/**
 * Counts of a pool at one moment: cheap to ask for at any time. Immutable.
 *
 * @param ready replicas that take requests
 * @param pending replicas ordered and not yet ready, placed or not
 * @param draining replicas that finish what they have and take nothing new
 * @param running requests in engines that have started
 * @param waiting requests that wait, in engines or for the first replica
 * @param kvUsedShare share of the KV cache of all replicas that is in use; 0 without a replica
 * @param arrived requests that reached the pool so far
 * @param finished requests the pool was done with so far
 * @param refused requests the pool did not take so far
 * @param lost requests that went down with their replica so far
 * @param failedStarts replicas that found no free slot so far
 * @param gpuSeconds what the pool has cost so far
 */
public record PoolLoad(
        int ready,
        int pending,
        int draining,
        int running,
        int waiting,
        double kvUsedShare,
        long arrived,
        long finished,
        long refused,
        long lost,
        long failedStarts,
        GpuSeconds gpuSeconds) {}
