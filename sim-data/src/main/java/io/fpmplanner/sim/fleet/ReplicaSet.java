/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.workload.RandomVariates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The life of a pool's replicas: ordered, placed, ready, draining, gone; and what that costs. Not threadsafe.
 *
 * <p>An order is placed on GPUs at once unless capacity is short; its cold start and its cost begin then.
 */
final class ReplicaSet {
    /** A replica that is ordered and not ready; readyNanos counts once it is placed. */
    private static final class Order {
        final long coldStartNanos;
        long readyNanos = ColdStart.NEVER;
        boolean placed;

        Order(long coldStartNanos) {
            this.coldStartNanos = coldStartNanos;
        }
    }

    private final PoolSpec spec;
    private final StepChannels channels;
    private final Function<List<StepChannel>, EngineListener> listeners;
    private final long seed;
    private final RandomVariates coldStarts;
    private final GpuMeter meter;
    private final List<Order> orders = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final BitSet takenSlots = new BitSet();
    private int capacity = Integer.MAX_VALUE;
    private int wanted;
    private int started;
    private int ready;
    private int placed;
    private boolean outage;
    private long failedStarts;

    ReplicaSet(
            PoolSpec spec,
            StepChannels channels,
            Function<List<StepChannel>, EngineListener> listeners,
            long seed,
            long startNanos) {
        this.spec = spec;
        this.channels = channels;
        this.listeners = listeners;
        this.seed = seed;
        this.coldStarts = new RandomVariates(seed ^ 0x5DEECE66DL);
        this.meter = new GpuMeter(spec.replicas().gpusEach(), startNanos);
    }

    /** Replicas that are ready or draining, oldest first. */
    List<Replica> replicas() {
        return replicas;
    }

    int ready() {
        return ready;
    }

    int pending() {
        return orders.size();
    }

    int draining() {
        return replicas.size() - ready;
    }

    long failedStarts() {
        return failedStarts;
    }

    GpuSeconds gpuSeconds(long nowNanos) {
        meter(nowNanos);
        return meter.total();
    }

    /** Starts replicas that are ready from the beginning. */
    void startReady(int count, long nowNanos) {
        wanted = count;
        for (int i = 0; i < count; i++) {
            start(nowNanos);
        }
    }

    /** Orders replicas, or gives some back, so that ready and pending ones make {@code target}. */
    void scaleTo(int target, long nowNanos) {
        wanted = Math.max(0, Math.min(target, spec.replicas().highest()));
        meter(nowNanos);
        while (ready + orders.size() < wanted) {
            orders.add(new Order(spec.replicas().coldStart().draw(coldStarts)));
        }
        while (ready + orders.size() > wanted && !orders.isEmpty()) {
            placed -= orders.remove(orders.size() - 1).placed ? 1 : 0;
        }
        while (ready > wanted) {
            leastLoaded().draining = true;
            ready--;
        }
        removeDrained(nowNanos);
        place(nowNanos);
    }

    /** Limits the replicas that find a place; those that have one keep it. */
    void limitCapacity(int newCapacity, long nowNanos) {
        meter(nowNanos);
        capacity = newCapacity;
        place(nowNanos);
    }

    void setOutage(boolean newOutage) {
        outage = newOutage;
        replicas.forEach(replica -> replica.setOutage(newOutage));
    }

    long nextEventNanos() {
        long next = ColdStart.NEVER;
        for (int i = 0; i < orders.size(); i++) {
            next = Math.min(next, orders.get(i).readyNanos);
        }
        for (int i = 0; i < replicas.size(); i++) {
            next = Math.min(next, replicas.get(i).nextEventNanos());
        }
        return next;
    }

    /** Advances all replicas; true if some became ready. */
    boolean advanceTo(long nowNanos) {
        boolean anyStarted = false;
        for (int i = nextDue(nowNanos); i >= 0; i = nextDue(nowNanos)) {
            meter(nowNanos);
            orders.remove(i);
            placed--;
            start(nowNanos);
            anyStarted = true;
        }
        for (int i = 0; i < replicas.size(); i++) {
            replicas.get(i).advanceTo(nowNanos);
        }
        if (ready < replicas.size()) {
            removeDrained(nowNanos);
            place(nowNanos);
        }
        return anyStarted;
    }

    /** The order that has been ready longest by now, the oldest of several; -1 if none is. */
    private int nextDue(long nowNanos) {
        int due = -1;
        for (int i = 0; i < orders.size(); i++) {
            long readyNanos = orders.get(i).readyNanos;
            if (readyNanos <= nowNanos && (due < 0 || readyNanos < orders.get(due).readyNanos)) {
                due = i;
            }
        }
        return due;
    }

    /** The index-th oldest ready replica, counted round; null if none is ready. */
    @Nullable
    Replica readyReplica(int index) {
        if (ready == 0) {
            return null;
        }
        int left = index % ready;
        for (Replica replica : replicas) {
            if (!replica.draining && left-- == 0) {
                return replica;
            }
        }
        throw new IllegalStateException("fewer replicas are ready than were counted in pool " + spec.id());
    }

    /** Takes a replica away at once; another is ordered if it was wanted. */
    void remove(Replica replica, long nowNanos) {
        meter(nowNanos);
        ready -= replica.draining ? 0 : 1;
        replicas.remove(replica);
        release(replica);
        scaleTo(wanted, nowNanos);
    }

    /** The ready replica with the fewest requests inside, the oldest of several; there must be one. */
    Replica leastLoaded() {
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

    void close() {
        replicas.forEach(Replica::close);
        replicas.clear();
        ready = 0;
    }

    private void place(long nowNanos) {
        for (int i = 0; i < orders.size() && replicas.size() + placed < capacity; i++) {
            Order order = orders.get(i);
            if (!order.placed) {
                order.placed = true;
                placed++;
                boolean never = order.coldStartNanos == ColdStart.NEVER;
                order.readyNanos = never ? ColdStart.NEVER : nowNanos + order.coldStartNanos;
            }
        }
    }

    /** Starts a replica in the first free slot that opens. */
    private void start(long nowNanos) {
        String workerId = spec.id() + "-" + started;
        for (int slot = takenSlots.nextClearBit(0);
                slot < spec.replicas().slots();
                slot = takenSlots.nextClearBit(slot + 1)) {
            List<StepChannel> opened = open(slot, workerId, nowNanos);
            if (!opened.isEmpty()) {
                takenSlots.set(slot);
                PacedLaw pace = new PacedLaw(spec.law().apply(seed + started));
                SimulatedEngine engine = new SimulatedEngine(
                        new RankIdentity(workerId, 0), spec.engine(), pace, listeners.apply(opened), nowNanos);
                Replica replica = new Replica(slot, engine, opened, pace);
                replica.setOutage(outage);
                replicas.add(replica);
                ready++;
                started++;
                return;
            }
        }
        failedStarts++;
    }

    /** Channels of all ranks; empty when the place belongs to somebody else, and the caller tries the next one. */
    private List<StepChannel> open(int slot, String workerId, long nowNanos) {
        List<StepChannel> opened = new ArrayList<>();
        try {
            for (int rank = 0; rank < spec.engine().ranks(); rank++) {
                opened.add(channels.open(spec.id(), slot, new RankIdentity(workerId, rank), nowNanos));
            }
            return opened;
        } catch (IOException e) {
            opened.forEach(StepChannel::close);
            return List.of();
        }
    }

    private void removeDrained(long nowNanos) {
        for (int i = replicas.size() - 1; i >= 0; i--) {
            Replica replica = replicas.get(i);
            if (replica.draining && replica.engine.isIdle()) {
                meter(nowNanos);
                replicas.remove(i);
                release(replica);
            }
        }
    }

    private void release(Replica replica) {
        replica.close();
        takenSlots.clear(replica.slot);
    }

    private void meter(long nowNanos) {
        meter.meter(nowNanos, placed, ready, replicas.size() - ready);
    }
}
