/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.StepListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The past of all pools, by order of configuration.
 *
 * <p>Belongs to the HTTP verticle's event loop, but for the {@linkplain #steps listeners}, which are the planner's.
 *
 * <p>Memory: {@value #FULL_POOLS} pools may have the finest steps. Where there are more, steps are longer and fewer, so that
 * all curves together stay below 16 MB up to some thousands of pools.
 */
public final class History {
    static final int FULL_POOLS = 64;
    /** Longest steps there are: a minute hence, ten times as long as usual. */
    private static final int COARSEST = 60;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<PoolHistory> pools = new ArrayList<>();
    private final List<StepSamples> samples = new ArrayList<>();

    /** An empty past of so many pools. */
    public History(int poolCount) {
        int coarseness = Math.min(COARSEST, Math.max(1, (poolCount + FULL_POOLS - 1) / FULL_POOLS));
        for (int i = 0; i < poolCount; i++) {
            pools.add(new PoolHistory(coarseness));
            samples.add(new StepSamples());
        }
    }

    /** Shows a pool's steps to its sample; on the planner's thread. */
    public StepListener steps(int poolIndex) {
        return samples.get(poolIndex);
    }

    /** Takes what requests were measured to see. */
    public void observed(int poolIndex, List<LatencyObservation> observations, long nowNanos) {
        observations.forEach(observation -> pools.get(poolIndex).observed(observation, nowNanos / NANOS_PER_MILLI));
    }

    /** Takes in a plan, once. */
    void planned(PlanView plan) {
        long nowMillis = plan.nowNanos() / NANOS_PER_MILLI;
        List<PoolPlan> plans = plan.pools();
        for (int i = 0; i < plans.size(); i++) {
            pools.get(i).add(plans.get(i), nowMillis);
            samples.get(i).refill(nowMillis);
        }
    }

    PoolHistory pool(int poolIndex) {
        return pools.get(poolIndex);
    }

    StepSamples samples(int poolIndex) {
        return samples.get(poolIndex);
    }

    /** Bytes that all curves take. */
    long bytes() {
        return pools.stream().mapToLong(PoolHistory::bytes).sum();
    }
}
