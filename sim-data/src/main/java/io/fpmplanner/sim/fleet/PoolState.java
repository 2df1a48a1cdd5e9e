/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import java.util.Optional;

/**
 * A pool at one moment with its measured latencies, which are sorted for this. Immutable.
 *
 * @param id the pool
 * @param load its counts
 * @param offeredRequestsPerSecond rate of the pool's traffic now; 0 for a pool that only gets requests handed over
 * @param ttft measured time to first token; of decode-only pools always empty
 * @param itl measured time between tokens; of prefill-only pools always empty
 */
public record PoolState(String id, PoolLoad load, double offeredRequestsPerSecond, Measured ttft, Measured itl) {
    /** Replicas that take requests. */
    public int ready() {
        return load.ready();
    }

    /** Replicas ordered and not yet ready. */
    public int pending() {
        return load.pending();
    }

    /** Replicas that finish what they have and take nothing new. */
    public int draining() {
        return load.draining();
    }

    /** Requests in engines that have started. */
    public int running() {
        return load.running();
    }

    /** Requests that wait, in engines or for the first replica. */
    public int waiting() {
        return load.waiting();
    }

    /** Requests that reached the pool so far. */
    public long arrived() {
        return load.arrived();
    }

    /** Requests the pool was done with so far. */
    public long finished() {
        return load.finished();
    }

    /** Requests the pool did not take so far. */
    public long refused() {
        return load.refused();
    }

    /** Replicas that found no free slot so far. */
    public long failedStarts() {
        return load.failedStarts();
    }

    /**
     * A measured latency.
     *
     * @param recent over the fleet's sliding window; empty when nothing was measured in it
     * @param overall since measuring began or was begun anew
     */
    public record Measured(Optional<LatencySummary> recent, Optional<LatencySummary> overall) {}
}
