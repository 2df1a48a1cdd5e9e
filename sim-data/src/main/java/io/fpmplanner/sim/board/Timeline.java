/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What happened in a run. Immutable.
 *
 * @param moments at equal distances
 * @param decisions that changed what was ordered, in order of time
 */
public record Timeline(List<Moment> moments, List<Change> decisions) {
    public Timeline {
        moments = List.copyOf(moments);
        decisions = List.copyOf(decisions);
    }

    /**
     * The fleet at one moment and what was measured since the moment before. Immutable.
     *
     * @param seconds since the beginning of the run
     * @param arrivalsPerSecond mean rate since the last moment
     * @param ttftP90Seconds of first tokens since the last moment; empty if there were none
     * @param itlP90Seconds of requests finished since the last moment; empty if there were none
     * @param pools each pool, in the order of the task
     */
    public record Moment(
            double seconds,
            double arrivalsPerSecond,
            OptionalDouble ttftP90Seconds,
            OptionalDouble itlP90Seconds,
            List<PoolMoment> pools) {
        public Moment {
            pools = List.copyOf(pools);
        }
    }

    /**
     * A pool at one moment. Immutable.
     *
     * @param poolId the pool
     * @param ready replicas that take requests
     * @param provisioned replicas that cost: starting, ready and draining
     * @param waiting requests that wait
     */
    public record PoolMoment(String poolId, int ready, int provisioned, int waiting) {}

    /**
     * A decision that changed what was ordered. Immutable.
     *
     * @param seconds since the beginning of the run
     * @param poolId the pool
     * @param from replicas ordered before
     * @param to replicas ordered now
     * @param reason why
     */
    public record Change(double seconds, String poolId, int from, int to, String reason) {}
}
