/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pool's router and what it measures of its requests. Not threadsafe. */
final class FleetPool {
    private static final int MOST_UNROUTED = 10_000;

    /** A request on its way to a replica; the first token's time counts for decode-only pools. */
    private record Routed(Request request, long firstTokenNanos) {}

    final PoolSpec spec;
    final ReplicaSet replicas;
    private final FleetListener listener;
    private final Deque<Routed> unrouted = new ArrayDeque<>();
    private final LatencyRecorder ttft = new LatencyRecorder();
    private final LatencyRecorder itl = new LatencyRecorder();
    private @Nullable FleetPool decodePool;
    private int turn;
    private long arrived;
    private long finished;
    private long refused;
    private long lost;
    private long measuredFromNanos = Long.MIN_VALUE;

    FleetPool(PoolSpec spec, StepChannels channels, FleetListener listener, long seed, long startNanos) {
        this.spec = spec;
        this.replicas = new ReplicaSet(spec, channels, this::report, seed, startNanos);
        this.listener = listener;
    }

    void handOverTo(FleetPool pool) {
        if (pool.spec.engine().kind() != EngineKind.DECODE_ONLY) {
            throw new IllegalArgumentException("pool " + spec.id() + " can hand over to a decode-only pool only");
        }
        this.decodePool = pool;
    }

    /** When something next happens here by itself. */
    long nextEventNanos() {
        return replicas.nextEventNanos();
    }

    void advanceTo(long nowNanos) {
        if (replicas.advanceTo(nowNanos)) {
            route(nowNanos);
        }
    }

    void arrive(Request request, long nowNanos) {
        listener.onArrival(spec.id(), request);
        enter(new Routed(request, -1), nowNanos);
    }

    private void enter(Routed routed, long nowNanos) {
        arrived++;
        if (unrouted.size() >= MOST_UNROUTED) {
            refuse(routed.request(), Refusal.NO_REPLICA, nowNanos);
            return;
        }
        unrouted.addLast(routed);
        route(nowNanos);
    }

    private void route(long nowNanos) {
        while (!unrouted.isEmpty() && replicas.ready() > 0) {
            Routed routed = unrouted.removeFirst();
            Refusal refusal = spec.router() == Router.PREFIX_AWARE
                    ? submitWherePrefixIs(routed, nowNanos)
                    : submit(choose(), routed, nowNanos);
            if (refusal != null) {
                refuse(routed.request(), refusal, nowNanos);
            }
        }
    }

    private @Nullable Refusal submit(Replica replica, Routed routed, long nowNanos) {
        return spec.engine().kind() == EngineKind.DECODE_ONLY
                ? replica.submitPrefilled(routed.request(), routed.firstTokenNanos(), nowNanos)
                : replica.submit(routed.request(), nowNanos);
    }

    /** To the rank that has least to do counting what of the prompt it need not compute; equal ones in turn. */
    private @Nullable Refusal submitWherePrefixIs(Routed routed, long nowNanos) {
        List<Replica> all = replicas.replicas();
        int ranks = spec.engine().ranks();
        int first = nextTurn() % (all.size() * ranks);
        Replica best = null;
        int bestRank = 0;
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < all.size() * ranks; i++) {
            int place = (first + i) % (all.size() * ranks);
            Replica replica = all.get(place / ranks);
            if (!replica.draining) {
                long cost = replica.engine.routingCostTokens(routed.request(), place % ranks);
                if (cost < lowest) {
                    lowest = cost;
                    best = replica;
                    bestRank = place % ranks;
                }
            }
        }
        if (best == null) {
            throw new IllegalStateException("pool " + spec.id() + " has no ready replica");
        }
        return spec.engine().kind() == EngineKind.DECODE_ONLY
                ? submit(best, routed, nowNanos)
                : best.submit(routed.request(), bestRank, nowNanos);
    }

    private void refuse(Request request, Refusal refusal, long nowNanos) {
        refused++;
        listener.onRefused(spec.id(), request, refusal, nowNanos);
    }

    private Replica choose() {
        if (spec.router() == Router.LEAST_LOADED) {
            return replicas.leastLoaded();
        }
        Replica next = replicas.readyReplica(nextTurn());
        if (next == null) {
            throw new IllegalStateException("pool " + spec.id() + " has no ready replica");
        }
        return next;
    }

    private int nextTurn() {
        int now = turn;
        turn = turn == Integer.MAX_VALUE ? 0 : turn + 1;
        return now;
    }

    /** Takes a replica away with all that is inside. */
    void crash(Replica replica, long nowNanos) {
        replica.engine.requests().forEach(request -> {
            lost++;
            listener.onLost(spec.id(), request, nowNanos);
        });
        replicas.remove(replica, nowNanos);
    }

    private EngineListener report(List<StepChannel> ranks) {
        return new EngineListener() {
            @Override
            public void onStep(ForwardPassMetrics metrics, long endNanos) {
                ranks.get(metrics.dpRank()).publish(metrics, endNanos);
            }

            @Override
            public void onFirstToken(Request request, long nowNanos) {
                firstToken(request, nowNanos);
            }

            @Override
            public void onFinished(RequestLog log) {
                finish(log);
            }
        };
    }

    private void firstToken(Request request, long nowNanos) {
        ttft.add(nowNanos, (nowNanos - request.arrivalNanos()) * 1e-9);
        listener.onFirstToken(spec.id(), request, nowNanos);
        if (decodePool != null && request.outputTokens() > 1) {
            finished++;
            decodePool.enter(new Routed(request, nowNanos), nowNanos);
        }
    }

    private void finish(RequestLog log) {
        finished++;
        log.itlSeconds().ifPresent(seconds -> itl.add(log.finishNanos(), seconds));
        listener.onFinished(spec.id(), log);
    }

    void measureFrom(long nowNanos) {
        measuredFromNanos = nowNanos;
    }

    PoolLoad load(long nowNanos) {
        int running = 0;
        int waiting = unrouted.size();
        long kvTokens = 0;
        List<Replica> all = replicas.replicas();
        for (Replica replica : all) {
            running += replica.engine.runningRequests();
            waiting += replica.engine.waitingRequests();
            kvTokens += replica.engine.kvUsedTokens();
        }
        double kvCapacity =
                (double) all.size() * spec.engine().ranks() * spec.engine().kvCapacityTokens();
        return new PoolLoad(
                replicas.ready(),
                replicas.pending(),
                replicas.draining(),
                running,
                waiting,
                all.isEmpty() ? 0 : kvTokens / kvCapacity,
                arrived,
                finished,
                refused,
                lost,
                replicas.failedStarts(),
                replicas.gpuSeconds(nowNanos));
    }

    /** The pool now, with the rate of the traffic that enters here and latencies since the beginning of the sliding window. */
    PoolState state(double offered, long nowNanos, long recentNanos) {
        long recentFromNanos = nowNanos - recentNanos;
        return new PoolState(
                spec.id(), load(nowNanos), offered, measured(ttft, recentFromNanos), measured(itl, recentFromNanos));
    }

    private PoolState.Measured measured(LatencyRecorder recorder, long recentFromNanos) {
        return new PoolState.Measured(recorder.since(recentFromNanos), recorder.since(measuredFromNanos));
    }
}
