/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.StepTimeLaw;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One pool of interchangeable engines. Immutable.
 *
 * @param id name of the pool, and prefix of its workers' ids
 * @param engine limits of each engine
 * @param law makes the step time law of a replica from a seed
 * @param router how requests are spread
 * @param replicas how many there are, and how they come
 * @param handOverTo pool that decodes what this prefill-only pool has computed; null for other kinds
 */
public record PoolSpec(
        String id,
        EngineSettings engine,
        LongFunction<StepTimeLaw> law,
        Router router,
        Replicas replicas,
        @Nullable String handOverTo) {
    public PoolSpec {
        if ((engine.kind() == EngineKind.PREFILL_ONLY) != (handOverTo != null)) {
            throw new IllegalArgumentException(
                    "pool " + id + ": prefill-only pools, and only they, hand over to another pool");
        }
    }

    /**
     * Number of replicas and their start. Immutable.
     *
     * @param initial ready from the beginning; in [0, highest]
     * @param highest never more ordered than this; &ge; 1
     * @param slots places (ports) for replicas, draining ones included; &ge; highest
     * @param coldStart from being placed to readiness
     * @param gpusEach GPUs that one replica occupies; &ge; 1
     */
    public record Replicas(int initial, int highest, int slots, ColdStart coldStart, int gpusEach) {
        public Replicas {
            if (highest < 1 || initial < 0 || initial > highest || slots < highest || gpusEach < 1) {
                throw new IllegalArgumentException(
                        "replicas must satisfy 0 <= initial <= highest <= slots, 1 <= highest and 1 <= gpusEach, were "
                                + initial + ", " + highest + ", " + slots + " and " + gpusEach);
            }
        }

        /** Replicas of one GPU each that all take the same time to start. */
        public Replicas(int initial, int highest, int slots, long coldStartNanos) {
            this(initial, highest, slots, ColdStart.fixed(coldStartNanos), 1);
        }
    }
}
