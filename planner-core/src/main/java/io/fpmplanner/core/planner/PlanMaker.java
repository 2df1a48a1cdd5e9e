/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.latency.Calibration;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.scaling.DecisionLog;
import io.fpmplanner.core.scaling.FleetPolicy;
import io.fpmplanner.core.scaling.Recommendation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans of what a {@link PoolObserver} has seen: predicts, decides, and scores what was predicted before.
 *
 * <p>One writer, not threadsafe, but it need not be the thread that observes: views are immutable, and nothing else is
 * shared with the observer. It reads no clock: the same views in the same order give the same plans.
 */
public final class PlanMaker {
    private final List<PoolSettings> settings;
    private final List<Calibration> calibrations = new ArrayList<>();
    private final List<DecisionLog> decisions = new ArrayList<>();
    private final FleetPolicy policy;
    private final LatencyPredictor predictor = new LatencyPredictor();

    PlanMaker(List<PoolSettings> settings, List<GpuBudget> budgets) {
        this.settings = List.copyOf(settings);
        for (int i = 0; i < settings.size(); i++) {
            decisions.add(new DecisionLog());
            calibrations.add(new Calibration());
        }
        this.policy = new FleetPolicy(settings, budgets);
        DisaggregatedPair.among(settings).forEach(pair -> policy.pair(pair.prefill(), pair.decode()));
    }

    /** Says how many requests wait in front of a pool, as {@link FleetPolicy#supplyQueue} says. */
    public void supplyQueue(int poolIndex, double requests, long validUntilNanos) {
        policy.supplyQueue(poolIndex, requests, validUntilNanos);
    }

    /** Says what requests are expected to come to a pool, as {@link FleetPolicy#supplyForecast} says. */
    public void supplyForecast(int poolIndex, @Nullable SuppliedForecast forecast) {
        policy.supplyForecast(poolIndex, forecast);
    }

    /** Takes what requests of a pool were measured to see, to score predictions by. */
    public ObservationCount observe(int poolIndex, List<LatencyObservation> observations, long nowNanos) {
        return calibrations.get(poolIndex).observe(observations, nowNanos);
    }

    /** What answers questions about the pools of its plans at the least cost; any thread. */
    public LatencyPredictor predictor() {
        return predictor;
    }

    /**
     * The plan for pools as they were seen.
     *
     * @param nowNanos the moment it is of
     * @param views of all pools, in their order, each taken for this plan
     */
    public PlanView plan(long nowNanos, List<PoolView> views) {
        List<LatencyPrediction> latencies =
                views.stream().map(predictor::typical).toList();
        List<Recommendation> recommendations = policy.decide(views, latencies);
        List<PoolPlan> plans = new ArrayList<>();
        for (int i = 0; i < views.size(); i++) {
            calibrations.get(i).tick(views.get(i), latencies.get(i));
            decisions.get(i).add(recommendations.get(i));
            plans.add(new PoolPlan(
                    views.get(i),
                    latencies.get(i),
                    recommendations.get(i),
                    calibrations.get(i).view(),
                    decisions.get(i).entries()));
        }
        return new PlanView(nowNanos, plans);
    }

    /**
     * What should outlive a restart.
     *
     * @param learned of each pool, from the observer
     */
    public PlannerMemory memory(long nowNanos, List<PoolMemory> learned) {
        List<PlannerMemory.OfPool> memories = new ArrayList<>();
        for (int i = 0; i < settings.size(); i++) {
            PoolSettings pool = settings.get(i);
            memories.add(new PlannerMemory.OfPool(
                    pool.id(),
                    pool.model(),
                    pool.role(),
                    learned.get(i),
                    policy.memory(i),
                    decisions.get(i).entries()));
        }
        return new PlannerMemory(nowNanos, memories);
    }

    void restore(int poolIndex, PlannerMemory.OfPool memory, boolean isFleetKnown) {
        policy.restore(poolIndex, memory.fleet(), isFleetKnown);
        decisions.get(poolIndex).restore(memory.decisions());
    }
}
