/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.models.LearnedStepTimes;
import java.util.List;

/**
 * What a {@link Pool} has learned and should not have to learn again after a restart. Immutable.
 *
 * @param models one entry a timing scope that was learned from, at most 4
 * @param speeds of ranks whose speed was compared with their peers'
 */
public record PoolMemory(List<ScopeMemory> models, List<SpeedMemory> speeds) {
    /** Nothing learned. */
    public static final PoolMemory NOTHING = new PoolMemory(List.of(), List.of());

    public PoolMemory {
        models = List.copyOf(models);
        speeds = List.copyOf(speeds);
    }

    private static void requireAtLeastZero(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " must be at least 0, was " + value);
        }
    }

    /**
     * The step times of one timing scope.
     *
     * @param scope as in frames
     * @param recent weight among the scopes, &ge; 0
     * @param learned what was learned
     */
    public record ScopeMemory(String scope, double recent, LearnedStepTimes learned) {
        public ScopeMemory {
            requireAtLeastZero("recent", recent);
        }
    }

    /**
     * How fast a rank is.
     *
     * @param rank endpoint, publisher, worker and data-parallel rank in one text
     * @param position newest position in its stream; a smaller one later means that another engine runs
     * @param frames steps compared, &ge; 0
     * @param mean mean of log(measured / predicted)
     * @param spread mean deviation of it, &ge; 0
     * @param factor as last judged, above 0
     * @param verdict as last judged
     */
    public record SpeedMemory(
            String rank, long position, long frames, double mean, double spread, double factor, SpeedVerdict verdict) {
        public SpeedMemory {
            Checks.atLeast("frames", frames, 0);
            requireAtLeastZero("spread", spread);
            if (!Double.isFinite(mean) || !Double.isFinite(spread) || !(factor > 0) || Double.isInfinite(factor)) {
                throw new IllegalArgumentException(
                        "mean, spread and factor of " + rank + " must be finite, factor above 0");
            }
        }
    }
}
