/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalInt;

/**
 * How many workers there are.
 *
 * @param live workers whose ranks are all live
 * @param stale workers with a silent rank
 * @param gone workers that fell silent for good and are still remembered
 * @param ranksPerWorker data-parallel ranks of a live worker, the most common number; 0 when none is live
 * @param everSeen whether any frame was ever accepted
 * @param suppliedReady ready replicas as the orchestrator says
 * @param suppliedPending replicas ordered but not ready, as the orchestrator says
 * @param suppliedDesired replicas that the orchestrator is to have, as it says
 * @param newcomers live workers of which only one frame was ever heard, or nothing but heartbeats where another worker is
 *     at work. A corrupt or forged identity makes one; it is not missed when it is not heard again
 */
public record FleetView(
        int live,
        int stale,
        int gone,
        int ranksPerWorker,
        boolean everSeen,
        OptionalInt suppliedReady,
        OptionalInt suppliedPending,
        OptionalInt suppliedDesired,
        int newcomers) {
    /** A fleet without newcomers whose orchestrator does not say what it is to have. */
    public FleetView(
            int live,
            int stale,
            int gone,
            int ranksPerWorker,
            boolean everSeen,
            OptionalInt suppliedReady,
            OptionalInt suppliedPending) {
        this(live, stale, gone, ranksPerWorker, everSeen, suppliedReady, suppliedPending, OptionalInt.empty(), 0);
    }

    /** The same fleet with what the orchestrator says of it. */
    FleetView withSupplied(OptionalInt ready, OptionalInt pending, OptionalInt desired) {
        return new FleetView(live, stale, gone, ranksPerWorker, everSeen, ready, pending, desired, newcomers);
    }
}
