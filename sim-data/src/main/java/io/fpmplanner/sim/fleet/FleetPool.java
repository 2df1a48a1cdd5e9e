/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The replicas of one pool and its router. Not threadsafe. */
final class FleetPool {
    private static final int MOST_UNROUTED = 10_000;

    /** A request on its way to a replica; the first token's time counts for decode-only pools. */
    private record Routed(Request request, long firstTokenNanos) {}

    final PoolSpec spec;
    private final StepChannels channels;
    private final FleetListener listener;
    private final long seed;
    private final List<Replica> replicas = new ArrayList<>();
    private final Deque<Long> readyTimes = new ArrayDeque<>();
    private final Deque<Routed> unrouted = new ArrayDeque<>();
    private final BitSet takenSlots = new BitSet();
    private final LatencyRecorder ttft = new LatencyRecorder();
    private final LatencyRecorder itl = new LatencyRecorder();
    private @Nullable FleetPool decodePool;
    private int started;
    private int turn;
    private long arrived;
    private long finished;
    private long refused;
    private long failedStarts;
    private long measuredFromNanos = Long.MIN_VALUE;

    FleetPool(PoolSpec spec, StepChannels channels, FleetListener listener, long seed) {
        this.spec = spec;
        this.channels = channels;
        this.listener = listener;
        this.seed = seed;
    }

    void handOverTo(FleetPool pool) {
        if (pool.spec.engine().kind() != EngineKind.DECODE_ONLY) {
            throw new IllegalArgumentException("pool " + spec.id() + " can hand over to a decode-only pool only");
        }
        this.decodePool = pool;
    }

    /** Orders replicas, or gives some back, so that ready and pending ones make {@code wanted}. */
    void scaleTo(int wanted, long nowNanos) {
        int target = Math.max(0, Math.min(wanted, spec.replicas().highest()));
        while (ready() + pending() < target) {
            readyTimes.addLast(nowNanos + spec.replicas().coldStartNanos());
        }
        while (ready() + pending() > target && !readyTimes.isEmpty()) {
            readyTimes.removeLast();
        }
        while (ready() > target) {
            leastLoaded().draining = true;
        }
        removeDrained();
    }

    /** When something next happens here by itself. */
    long nextEventNanos() {
        long next = readyTimes.isEmpty() ? Long.MAX_VALUE : readyTimes.getFirst();
        for (int i = 0; i < replicas.size(); i++) {
            next = Math.min(next, replicas.get(i).engine.nextEventNanos());
        }
        return next;
    }

    void advanceTo(long nowNanos) {
        while (!readyTimes.isEmpty() && readyTimes.getFirst() <= nowNanos) {
            readyTimes.removeFirst();
            start(nowNanos);
        }
        boolean anyDraining = false;
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(i);
            replica.engine.advanceTo(nowNanos);
            anyDraining |= replica.draining;
        }
        if (anyDraining) {
            removeDrained();
        }
    }

    /** Starts a replica in the first free slot that opens. */
    void start(long nowNanos) {
        RankIdentity identity = new RankIdentity(spec.id() + "-" + started, 0);
        for (int slot = takenSlots.nextClearBit(0);
                slot < spec.replicas().slots();
                slot = takenSlots.nextClearBit(slot + 1)) {
            StepChannel channel = open(slot, identity);
            if (channel != null) {
                takenSlots.set(slot);
                SimulatedEngine engine = new SimulatedEngine(
                        identity, spec.engine(), spec.law().apply(seed + started), report(channel), nowNanos);
                replicas.add(new Replica(slot, engine, channel));
                started++;
                route(nowNanos);
                return;
            }
        }
        failedStarts++;
    }

    private @Nullable StepChannel open(int slot, RankIdentity identity) {
        try {
            return channels.open(spec.id(), slot, identity);
        } catch (IOException e) {
            return null; // The place belongs to somebody else; the caller tries the next one.
        }
    }

    void arrive(Request request, long nowNanos) {
        listener.onArrival(spec.id(), request);
        enter(new Routed(request, -1), nowNanos);
    }

    private void enter(Routed routed, long nowNanos) {
        arrived++;
        if (unrouted.size() >= MOST_UNROUTED) {
            refuse(routed.request(), Refusal.NO_REPLICA);
            return;
        }
        unrouted.addLast(routed);
        route(nowNanos);
    }

    private void route(long nowNanos) {
        while (!unrouted.isEmpty() && ready() > 0) {
            Routed routed = unrouted.removeFirst();
            SimulatedEngine engine = choose().engine;
            Refusal refusal = spec.engine().kind() == EngineKind.DECODE_ONLY
                    ? engine.submitPrefilled(routed.request(), routed.firstTokenNanos(), nowNanos)
                    : engine.submit(routed.request(), nowNanos);
            if (refusal != null) {
                refuse(routed.request(), refusal);
            }
        }
    }

    private void refuse(Request request, Refusal refusal) {
        refused++;
        listener.onRefused(spec.id(), request, refusal);
    }

    private Replica choose() {
        if (spec.router() == Router.LEAST_LOADED) {
            return leastLoaded();
        }
        List<Replica> ready =
                replicas.stream().filter(replica -> !replica.draining).toList();
        return ready.get(turn++ % ready.size());
    }

    private Replica leastLoaded() {
        Replica best = null;
        for (int i = 0; i < replicas.size(); i++) {
            Replica candidate = replicas.get(i);
            if (!candidate.draining
                    && (best == null || candidate.engine.requestsInside() < best.engine.requestsInside())) {
                best = candidate;
            }
        }
        if (best == null) {
            throw new IllegalStateException("pool " + spec.id() + " has no ready replica");
        }
        return best;
    }

    private void removeDrained() {
        replicas.removeIf(replica -> {
            boolean done = replica.draining && replica.engine.isIdle();
            if (done) {
                replica.channel.close();
                takenSlots.clear(replica.slot);
            }
            return done;
        });
    }

    private EngineListener report(StepChannel channel) {
        return new EngineListener() {
            @Override
            public void onStep(ForwardPassMetrics metrics, long endNanos) {
                channel.publish(metrics);
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

    int ready() {
        int ready = 0;
        for (int i = 0; i < replicas.size(); i++) {
            ready += replicas.get(i).draining ? 0 : 1;
        }
        return ready;
    }

    int pending() {
        return readyTimes.size();
    }

    void measureFrom(long nowNanos) {
        measuredFromNanos = nowNanos;
    }

    /** The pool now, with the rate of the traffic that enters here and latencies since the beginning of the sliding window. */
    PoolState state(double offered, long recentFromNanos) {
        int running = 0;
        int waiting = unrouted.size();
        for (Replica replica : replicas) {
            running += replica.engine.runningRequests();
            waiting += replica.engine.waitingRequests();
        }
        return new PoolState(
                spec.id(),
                ready(),
                pending(),
                replicas.size() - ready(),
                running,
                waiting,
                offered,
                arrived,
                finished,
                refused,
                failedStarts,
                measured(ttft, recentFromNanos),
                measured(itl, recentFromNanos));
    }

    private PoolState.Measured measured(LatencyRecorder recorder, long recentFromNanos) {
        return new PoolState.Measured(recorder.since(recentFromNanos), recorder.since(measuredFromNanos));
    }

    void close() {
        replicas.forEach(replica -> replica.channel.close());
        replicas.clear();
    }
}
