/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.core.latency.Calibration;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.core.pool.SuppliedTraffic;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
    private final List<ScalingPolicy> policies = new ArrayList<>();
    private final List<Calibration> calibrations = new ArrayList<>();
    private final List<DisaggregatedPair> pairs;
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
        Set<String> ids = new HashSet<>();
        for (PoolSettings pool : settings) {
            if (!ids.add(pool.id())) {
                throw new IllegalArgumentException("two pools have the id '" + pool.id() + "'");
            }
            pools.add(new Pool(pool, listeners.apply(pools.size())));
            policies.add(new ScalingPolicy(pool));
            calibrations.add(new Calibration());
        }
        this.pairs = DisaggregatedPair.among(settings);
        pairs.forEach(pair -> policies.get(pair.decode()).follow(policies.get(pair.prefill())));
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
        pools.get(poolIndex).supplyFleet(ready, pending);
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
    public void observe(int poolIndex, List<LatencyObservation> observations) {
        observations.forEach(calibrations.get(poolIndex)::observe);
    }

    /** Says what requests come to a pool; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        pools.get(poolIndex).supplyWorkload(workload);
    }

    /** The plan at the given moment, nanoseconds since the Unix epoch on the caller's clock. */
    public PlanView tick(long nowNanos) {
        List<PoolPlan> plans = new ArrayList<>(Collections.nCopies(pools.size(), null));
        List<Integer> following = pairs.stream().map(DisaggregatedPair::decode).toList();
        for (int i = 0; i < pools.size(); i++) {
            if (!following.contains(i)) {
                plans.set(i, plan(i, nowNanos));
            }
        }
        // A decode pool comes after the pool whose arrivals will be its own.
        following.forEach(i -> plans.set(i, plan(i, nowNanos)));
        return new PlanView(nowNanos, plans);
    }

    private PoolPlan plan(int index, long nowNanos) {
        PoolView view = pools.get(index).tick(nowNanos);
        LatencyPrediction latency = predictor.typical(view);
        Recommendation recommendation = policies.get(index).decide(view, latency);
        Calibration calibration = calibrations.get(index);
        calibration.tick(view, latency);
        return new PoolPlan(view, latency, recommendation, calibration.view());
    }
}
