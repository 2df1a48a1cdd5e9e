/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import java.util.List;
import java.util.Optional;

/**
 * All pools at one tick. Immutable, for any thread.
 *
 * @param nowNanos the moment, on the caller's clock
 * @param pools in the order of configuration
 */
public record PlanView(long nowNanos, List<PoolPlan> pools) {
    public PlanView {
        pools = List.copyOf(pools);
    }

    /** The pool of that id. */
    public Optional<PoolPlan> pool(String id) {
        return pools.stream().filter(pool -> pool.id().equals(id)).findFirst();
    }
}
