/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.workload.RequestSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pools of simulated engines under traffic, in virtual time and in one order of events. Not threadsafe.
 *
 * <p>Equal arguments and calls give equal results.
 */
public final class Fleet implements AutoCloseable {
    private final Map<String, FleetPool> pools = new LinkedHashMap<>();
    private final Map<String, RequestSource> traffic = new LinkedHashMap<>();
    private final Faults faults;
    private final long recentNanos;
    private long nowNanos;

    /**
     * @param settings pools, traffic and clock of the fleet
     * @param channels where the replicas report
     * @param listener told of the requests
     */
    public Fleet(FleetSettings settings, StepChannels channels, FleetListener listener) {
        this.nowNanos = settings.startNanos();
        this.recentNanos = settings.recentNanos();
        long seed = settings.seed();
        for (PoolSpec spec : settings.pools()) {
            pools.put(spec.id(), new FleetPool(spec, channels, listener, seed, nowNanos));
            seed += 1_000_003; // Apart from the seeds of the other pools' replicas.
        }
        for (FleetPool pool : pools.values()) {
            String target = pool.spec.handOverTo();
            if (target != null) {
                pool.handOverTo(pool(target));
            }
        }
        for (Traffic entering : settings.traffic()) {
            pool(entering.poolId());
            traffic.put(entering.poolId(), entering.stream());
        }
        for (FleetPool pool : pools.values()) {
            pool.replicas.startReady(pool.spec.replicas().initial(), nowNanos);
        }
        this.faults = new Faults(settings.faults(), this::pool);
    }

    /** Lets all happen that is due up to and including {@code untilNanos}. */
    public void advanceTo(long untilNanos) {
        for (long next = nextEventNanos(); next <= untilNanos && next != Long.MAX_VALUE; next = nextEventNanos()) {
            nowNanos = Math.max(nowNanos, next);
            faults.advanceTo(nowNanos);
            for (FleetPool pool : pools.values()) {
                pool.advanceTo(nowNanos);
            }
            for (Map.Entry<String, RequestSource> entry : traffic.entrySet()) {
                if (entry.getValue().nextArrivalNanos() <= nowNanos) {
                    pool(entry.getKey()).arrive(entry.getValue().next(), nowNanos);
                }
            }
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /** Where this fleet is on the simulation's clock. */
    public long nowNanos() {
        return nowNanos;
    }

    /** When something next happens; {@link Long#MAX_VALUE} when nothing will. */
    public long nextEventNanos() {
        long next = faults.nextEventNanos();
        for (FleetPool pool : pools.values()) {
            next = Math.min(next, pool.nextEventNanos());
        }
        for (RequestSource stream : traffic.values()) {
            next = Math.min(next, stream.nextArrivalNanos());
        }
        return next;
    }

    /**
     * Sets the number of ready and pending replicas of a pool, clipped to its bounds. More are ready after the cold start;
     * of fewer, pending ones go first and then the least loaded, each finishing what it has.
     */
    public void scaleTo(String poolId, int replicas) {
        pool(poolId).replicas.scaleTo(replicas, nowNanos);
    }

    /** Begins the overall measurement of a pool's latencies anew. */
    public void measureFromNow(String poolId) {
        pool(poolId).measureFrom(nowNanos);
    }

    /** Counts of a pool as it is now; cheap. */
    public PoolLoad load(String poolId) {
        return pool(poolId).load(nowNanos);
    }

    /** All pools as they are now, in the order of the settings, with quantiles of latencies; meant for people. */
    public List<PoolState> state() {
        return pools.values().stream()
                .map(pool -> {
                    RequestSource source = traffic.get(pool.spec.id());
                    return pool.state(source == null ? 0 : source.requestsPerSecond(nowNanos), nowNanos, recentNanos);
                })
                .toList();
    }

    /** Closes all channels, whatever is still running. */
    @Override
    public void close() {
        pools.values().forEach(pool -> pool.replicas.close());
    }

    private FleetPool pool(String id) {
        FleetPool pool = pools.get(id);
        if (pool == null) {
            throw new IllegalArgumentException("no pool '" + id + "', there are " + pools.keySet());
        }
        return pool;
    }
}
