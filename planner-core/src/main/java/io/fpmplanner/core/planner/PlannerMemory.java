/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.FleetMemory;
import java.util.List;

/**
 * What a {@link Planner} knows that it could only learn again from the stream. Immutable.
 *
 * @param takenNanos when this was the state, nanoseconds since the Unix epoch
 * @param pools one entry a pool
 */
public record PlannerMemory(long takenNanos, List<OfPool> pools) {
    public PlannerMemory {
        pools = List.copyOf(pools);
    }

    /** The same if it was taken before the given moment, else, after a clock was put back, as if taken at it. */
    public PlannerMemory notAfter(long nowNanos) {
        long ahead = takenNanos - nowNanos;
        return ahead <= 0
                ? this
                : new PlannerMemory(
                        nowNanos,
                        pools.stream().map(pool -> pool.movedBy(-ahead)).toList());
    }

    /**
     * Of one pool.
     *
     * @param id of the pool
     * @param model as configured
     * @param role as configured
     * @param learned step times and speeds
     * @param fleet orders and cold starts
     * @param decisions the newest {@value #MOST_DECISIONS} entries of its decision log at most, oldest first
     */
    public record OfPool(
            String id, String model, Role role, PoolMemory learned, FleetMemory fleet, List<Decision> decisions) {
        /** More would make up most of a snapshot. */
        public static final int MOST_DECISIONS = 64;

        public OfPool {
            decisions =
                    List.copyOf(decisions.subList(Math.max(0, decisions.size() - MOST_DECISIONS), decisions.size()));
        }

        private OfPool movedBy(long nanos) {
            return new OfPool(id, model, role, learned, fleet.movedBy(nanos), decisions);
        }

        /** Whether a pool of these settings is the one that was remembered, under the same name or not. */
        boolean isOf(PoolSettings settings) {
            return id.equals(settings.id()) && model.equals(settings.model()) && role == settings.role();
        }
    }

    /** What became of a pool's memory. */
    public enum Outcome {
        /** All of it is in use. */
        RESTORED,
        /** Step times and measured cold starts are in use; it is too old to say anything of the fleet. */
        WITHOUT_FLEET,
        /** Step times are learned anew: none were remembered, or only in a form that is not known any more. */
        WITHOUT_STEP_TIMES,
        /** There was none, or of another model or role. */
        COLD
    }
}
