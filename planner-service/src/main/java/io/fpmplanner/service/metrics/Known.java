/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.PoolView;

/** What of a pool is known now. The sums over nobody are 0, but say nothing: they are shown as absent. */
public final class Known {
    private Known() {}

    /** Whether any rank tells of its load. */
    public static boolean load(PoolView pool) {
        return pool.liveRanks().findAny().isPresent();
    }

    /** Whether the number of replicas is known, by an orchestrator's word or because workers are heard of. */
    public static boolean replicas(PoolView pool) {
        FleetView fleet = pool.fleet();
        return fleet.live() + fleet.stale() > 0 || fleet.suppliedReady().isPresent();
    }
}
