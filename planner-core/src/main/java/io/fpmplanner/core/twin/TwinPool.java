/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepTimeSnapshot;

/**
 * What the twin has to know of a pool.
 *
 * @param role what its workers compute
 * @param limits engine limits of one rank
 * @param model learned step times; not COLD
 * @param gapSeconds time between steps that wall times do not hold; &ge; 0
 * @param ranksPerReplica data-parallel ranks of a replica; &ge; 1
 */
public record TwinPool(Role role, EngineLimits limits, StepTimeSnapshot model, double gapSeconds, int ranksPerReplica) {
    public TwinPool {
        if (model.evidence() == Evidence.COLD) {
            throw new IllegalArgumentException("model must have learned some steps, was COLD");
        }
        if (!(gapSeconds >= 0) || ranksPerReplica < 1) {
            throw new IllegalArgumentException("gapSeconds must be at least 0 and ranksPerReplica at least 1, were "
                    + gapSeconds + " and " + ranksPerReplica);
        }
    }

    /**
     * The pool as it is.
     *
     * @throws IllegalArgumentException while nothing was learned of it
     */
    public static TwinPool of(PoolView pool) {
        return new TwinPool(
                pool.settings().role(),
                pool.limits(),
                pool.model().snapshot(),
                pool.load().gapSeconds(),
                Math.max(1, pool.fleet().ranksPerWorker()));
    }

    /** The pool with other engine limits. */
    public TwinPool with(EngineLimits other) {
        return new TwinPool(role, other, model, gapSeconds, ranksPerReplica);
    }
}
