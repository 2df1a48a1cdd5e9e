/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A fleet and its load.
 *
 * @param pools all pools, ids distinct
 * @param traffic what enters which pool, at most one stream a pool
 * @param startNanos time at which it begins, on the simulation's clock
 * @param recentNanos length of the sliding window of measured latencies; &gt; 0
 * @param seed of everything random in the engines and in their starts
 * @param faults what goes wrong; times not before the start
 */
public record FleetSettings(
        List<PoolSpec> pools, List<Traffic> traffic, long startNanos, long recentNanos, long seed, List<Fault> faults) {
    public FleetSettings {
        faults = List.copyOf(faults);
        pools = List.copyOf(pools);
        traffic = List.copyOf(traffic);
        Set<String> ids = new HashSet<>();
        for (PoolSpec pool : pools) {
            if (!ids.add(pool.id())) {
                throw new IllegalArgumentException("two pools are called '" + pool.id() + "'");
            }
        }
        Set<String> entered = new HashSet<>();
        for (Traffic entering : traffic) {
            if (!entered.add(entering.poolId())) {
                throw new IllegalArgumentException("two streams enter pool '" + entering.poolId() + "'");
            }
        }
        if (recentNanos < 1) {
            throw new IllegalArgumentException("recentNanos must be positive, was " + recentNanos);
        }
    }

    /** A fleet in which nothing goes wrong. */
    public FleetSettings(List<PoolSpec> pools, List<Traffic> traffic, long startNanos, long recentNanos, long seed) {
        this(pools, traffic, startNanos, recentNanos, seed, List.of());
    }
}
