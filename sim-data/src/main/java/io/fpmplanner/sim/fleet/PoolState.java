/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.Optional;

/**
 * A pool at one moment. Immutable.
 *
 * @param ready replicas that take requests
 * @param pending replicas ordered and not yet ready
 * @param draining replicas that finish what they have and take nothing new
 * @param running requests in engines that have started
 * @param waiting requests that wait, in engines or for the first replica
 * @param offeredRequestsPerSecond rate of the pool's traffic now; 0 for a pool that only gets requests handed over
 * @param arrived requests that reached the pool so far
 * @param finished requests the pool was done with so far
 * @param refused requests the pool did not take so far
 * @param failedStarts replicas that found no free place
 * @param ttft measured time to first token; of decode-only pools always empty
 * @param itl measured time between tokens; of prefill-only pools always empty
 */
public record PoolState(
        String id,
        int ready,
        int pending,
        int draining,
        int running,
        int waiting,
        double offeredRequestsPerSecond,
        long arrived,
        long finished,
        long refused,
        long failedStarts,
        Measured ttft,
        Measured itl) {
    /**
     * A measured latency.
     *
     * @param recent over the fleet's sliding window; empty when nothing was measured in it
     * @param overall since measuring began or was begun anew
     */
    public record Measured(Optional<LatencySummary> recent, Optional<LatencySummary> overall) {}
}
