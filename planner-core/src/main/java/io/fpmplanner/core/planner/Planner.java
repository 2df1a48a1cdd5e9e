/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.core.latency.Calibration;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.ItlBounds;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedTraffic;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.DecisionLog;
import io.fpmplanner.core.scaling.FleetPolicy;
import io.fpmplanner.core.scaling.Recommendation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The planner: takes frames as they come, and once per tick says what each pool will see and how many replicas it needs.
 *
 * <p>One writer for all its pools; not threadsafe. Others read the {@link PlanView}s it returns, usually from a {@link
 * PlanBoard}. It reads no clock: the same frames and ticks give the same plans.
 */
public final class Planner {
    private final List<Pool> pools = new ArrayList<>();
    private final List<Calibration> calibrations = new ArrayList<>();
    private final List<DecisionLog> decisions = new ArrayList<>();
    private final FleetPolicy policy;
    private final LatencyPredictor predictor = new LatencyPredictor();

    /**
     * @param settings the pools; their index is how frames name them
     * @throws IllegalArgumentException if two pools share an id
     */
    public Planner(List<PoolSettings> settings) {
        this(settings, StepListener.NONE);
    }

    /** A planner that also shows each measured step to a listener before it is learned from. */
    public Planner(List<PoolSettings> settings, StepListener listener) {
        this(settings, poolIndex -> listener);
    }

    /** The same with a listener for each pool, by index. */
    public Planner(List<PoolSettings> settings, IntFunction<StepListener> listeners) {
        this(settings, List.of(), listeners);
    }

    /**
     * A planner whose pools share GPUs.
     *
     * @param budgets GPUs that pools may have together
     * @param listeners shown each measured step of a pool, by index
     */
    public Planner(List<PoolSettings> settings, List<GpuBudget> budgets, IntFunction<StepListener> listeners) {
        Set<String> ids = new HashSet<>();
        for (PoolSettings pool : settings) {
            if (!ids.add(pool.id())) {
                throw new IllegalArgumentException("two pools have the id '" + pool.id() + "'");
            }
            pools.add(new Pool(pool, listeners.apply(pools.size())));
            decisions.add(new DecisionLog());
            calibrations.add(new Calibration());
        }
        this.policy = new FleetPolicy(settings, budgets);
        DisaggregatedPair.among(settings).forEach(pair -> policy.pair(pair.prefill(), pair.decode()));
    }

    /** What should outlive a restart. Allocates some 30 kB a pool; meant to be called every few seconds. */
    public PlannerMemory memory(long nowNanos) {
        List<PlannerMemory.OfPool> memories = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            PoolSettings settings = pools.get(i).settings();
            memories.add(new PlannerMemory.OfPool(
                    settings.id(),
                    settings.model(),
                    settings.role(),
                    pools.get(i).memory(),
                    policy.memory(i)));
        }
        return new PlannerMemory(nowNanos, memories);
    }

    /**
     * Goes on from before a restart; to be called before the first frame and tick.
     *
     * @param isFleetKnown whether the memory is young enough to say what was ordered and how many replicas there were
     * @return what became of each pool, in their order
     */
    public List<PlannerMemory.Outcome> restore(PlannerMemory memory, boolean isFleetKnown) {
        List<PlannerMemory.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < pools.size(); i++) {
            PoolSettings settings = pools.get(i).settings();
            Optional<PlannerMemory.OfPool> known =
                    memory.pools().stream().filter(pool -> pool.isOf(settings)).findFirst();
            if (known.isEmpty()) {
                outcomes.add(PlannerMemory.Outcome.COLD);
                continue;
            }
            pools.get(i).restore(known.get().learned());
            policy.restore(i, known.get().fleet(), isFleetKnown);
            outcomes.add(isFleetKnown ? PlannerMemory.Outcome.RESTORED : PlannerMemory.Outcome.WITHOUT_FLEET);
        }
        return outcomes;
    }

    /** Takes in a frame of the given pool; the frame is not kept. */
    public void onFrame(int poolIndex, FpmFrame frame) {
        pools.get(poolIndex).onFrame(frame);
    }

    /** Takes in what an engine of the given pool says of its KV cache and load, as {@link Pool#onKv} says. */
    public void onKv(int poolIndex, String endpoint, KvReport report, long receivedNanos) {
        pools.get(poolIndex).onKv(endpoint, report, receivedNanos);
    }

    /** Counts a message from an endpoint of the given pool that was no frame. */
    public void onReject(int poolIndex, String endpoint, RejectReason reason) {
        pools.get(poolIndex).onReject(endpoint, reason);
    }

    /** Says how many replicas the orchestrator has; without it they are counted from frames. */
    public void supplyFleet(int poolIndex, int ready, int pending) {
        supplyFleet(poolIndex, new SuppliedFleet(ready, OptionalInt.of(pending), OptionalInt.empty(), Long.MAX_VALUE));
    }

    /** Says what replicas there are; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet) {
        pools.get(poolIndex).supplyFleet(fleet);
    }

    /** Says how many requests wait in front of a pool, as {@link FleetPolicy#supplyQueue} says. */
    public void supplyQueue(int poolIndex, double requests, long validUntilNanos) {
        policy.supplyQueue(poolIndex, requests, validUntilNanos);
    }

    /** Puts back decisions of a pool that were kept of an earlier life; before the first tick. */
    public void restoreDecisions(int poolIndex, List<Decision> kept) {
        decisions.get(poolIndex).restore(kept);
    }

    /**
     * Says what requests of a pool are like, until the given moment; wins over what frames tell.
     *
     * @param validUntilNanos end of it, on the caller's clock
     */
    public void supplyTraffic(int poolIndex, SuppliedTraffic told, long validUntilNanos) {
        pools.get(poolIndex).supplyTraffic(told, validUntilNanos);
    }

    /** The limits of one rank of a pool that are in force. */
    public EngineLimits limits(int poolIndex) {
        return pools.get(poolIndex).limits();
    }

    /** Changes the limits of one rank of a pool, as an engine may tell them late. */
    public void supplyLimits(int poolIndex, EngineLimits limits) {
        pools.get(poolIndex).supplyLimits(limits);
    }

    /** Takes what requests of a pool were measured to see, to score predictions by. */
    public ObservationCount observe(int poolIndex, List<LatencyObservation> observations, long nowNanos) {
        return calibrations.get(poolIndex).observe(observations, nowNanos);
    }

    /** What answers questions about the pools of its plans at the least cost; any thread. */
    public LatencyPredictor predictor() {
        return predictor;
    }

    /** Says what requests come to a pool; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        pools.get(poolIndex).supplyWorkload(workload);
    }

    /** The plan at the given moment, nanoseconds since the Unix epoch on the caller's clock. */
    public PlanView tick(long nowNanos) {
        List<PoolView> views = new ArrayList<>();
        List<LatencyPrediction> latencies = new ArrayList<>();
        for (Pool pool : pools) {
            PoolView view = pool.tick(nowNanos);
            views.add(view);
            latencies.add(predictor.typical(view));
        }
        List<Recommendation> recommendations = policy.decide(views, latencies);
        List<PoolPlan> plans = new ArrayList<>();
        for (int i = 0; i < views.size(); i++) {
            calibrations.get(i).tick(views.get(i), latencies.get(i));
            pools.get(i).expectItl(bounds(latencies.get(i)));
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

    private static ItlBounds bounds(LatencyPrediction latency) {
        if (latency instanceof LatencyPrediction.Predicted predicted
                && predicted.itl().isPresent()) {
            LatencySpread itl = predicted.itl().get();
            return new ItlBounds(itl.p50Seconds(), itl.p90Seconds(), itl.p99Seconds());
        }
        return ItlBounds.NONE;
    }
}
