/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.ItlBounds;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedTraffic;
import io.fpmplanner.core.pool.SuppliedWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of all pools: takes frames as they come and shows each pool as it is, from which a {@link PlanMaker} makes
 * plans.
 *
 * <p>One writer, not threadsafe. It reads no clock.
 */
public final class PoolObserver {
    private final List<Pool> pools = new ArrayList<>();

    PoolObserver(List<PoolSettings> settings, IntFunction<StepListener> listeners) {
        for (PoolSettings pool : settings) {
            pools.add(new Pool(pool, listeners.apply(pools.size())));
        }
    }

    /** How many pools there are; they are named by their index. */
    public int pools() {
        return pools.size();
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

    /** Says what replicas there are; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet) {
        pools.get(poolIndex).supplyFleet(fleet);
    }

    /**
     * Says what requests of a pool are like, until the given moment; wins over what frames tell.
     *
     * @param validUntilNanos end of it, on the caller's clock
     */
    public void supplyTraffic(int poolIndex, SuppliedTraffic told, long validUntilNanos) {
        pools.get(poolIndex).supplyTraffic(told, validUntilNanos);
    }

    /** Says what requests come to a pool; wins over what frames tell until it expires or is withdrawn with null. */
    public void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        pools.get(poolIndex).supplyWorkload(workload);
    }

    /** The limits of one rank of a pool that are in force. */
    public EngineLimits limits(int poolIndex) {
        return pools.get(poolIndex).limits();
    }

    /** Changes the limits of one rank of a pool, as an engine may tell them late. */
    public void supplyLimits(int poolIndex, EngineLimits limits) {
        pools.get(poolIndex).supplyLimits(limits);
    }

    /**
     * A pool at the given moment, nanoseconds since the Unix epoch on the caller's clock; once for each plan. Costs about a
     * microsecond a rank.
     */
    public PoolView view(int poolIndex, long nowNanos) {
        return pools.get(poolIndex).tick(nowNanos);
    }

    /** Takes what was predicted of a pool, to count what comes within it. */
    public void expect(int poolIndex, LatencyPrediction latency) {
        pools.get(poolIndex).expectItl(bounds(latency));
    }

    private static ItlBounds bounds(LatencyPrediction latency) {
        if (latency instanceof LatencyPrediction.Predicted predicted
                && predicted.itl().isPresent()) {
            LatencySpread itl = predicted.itl().get();
            return new ItlBounds(itl.p50Seconds(), itl.p90Seconds(), itl.p99Seconds());
        }
        return ItlBounds.NONE;
    }

    /** What was learned of each pool and should outlive a restart. Allocates some 30 kB a pool. */
    public List<PoolMemory> memory() {
        return pools.stream().map(Pool::memory).toList();
    }

    void restore(int poolIndex, PoolMemory learned) {
        pools.get(poolIndex).restore(learned);
    }
}
