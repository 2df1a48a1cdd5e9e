/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.ScalingMode;
import io.fpmplanner.core.scaling.OrderBook.Pending;

/**
 * How many replicas there are and should be there: orders that were given and not yet filled, workers that fell silent
 * though nobody asked them to leave. Not threadsafe.
 */
final class FleetTracker {
    /*
     * Without an orchestrator's word, our own last recommendation is taken as an order; one that is overdue beyond
     * patience is given up, for a planner that waits for ever on a stuck replica is frozen. Where the orchestrator
     * still counts such a replica as pending, it is taken for stuck: no capacity, and to be replaced.
     * Silence is held against nobody whom we told to go: workers missing down to the recommended number departed as
     * expected. Below that they are missing, and the fleet is taken to be as large as before until they have been
     * missing for a cold start (a replacement would be here) and the stabilisation time. If the orchestrator still
     * counts them as ready then, they serve unheard, and are taken to be loaded like the others.
     */
    private final double missingPatienceSeconds;
    private final OrderBook orders;
    private int desired = -1;
    private int reached;
    private boolean missing;
    private long missingSinceNanos;
    private int accepted = Integer.MAX_VALUE;
    private final boolean advisory;

    FleetTracker(PoolSettings settings) {
        this.advisory = settings.scaling().mode() == ScalingMode.ADVISORY;
        this.orders = new OrderBook(settings.scaling().coldStartSeconds());
        this.missingPatienceSeconds = settings.liveness().goneAfterSeconds()
                + settings.scaling().coldStartSeconds()
                + settings.scaling().scaleDownStabilisationSeconds();
    }

    FleetMemory memory(FleetMemory.RegretMemory regret) {
        return new FleetMemory(
                desired, reached, orders.orderedNanos(), orders.measuredSeconds(), regret, ArrivalMemory.NOTHING);
    }

    /**
     * Goes on from before a restart. Replicas that are not heard of yet count as silent, not as gone, until they were
     * missing for as long as any that fall silent.
     */
    void restore(FleetMemory memory) {
        desired = memory.desired();
        reached = memory.reached();
        orders.restore(memory.orderedNanos(), memory.coldStartSeconds());
    }

    /**
     * The fleet at one moment.
     *
     * @param ready replicas that serve, silent ones that were not told to go included
     * @param live of these, heard of
     * @param orders ordered, not yet ready and still counted on
     * @param stuck pending by the orchestrator's word for far longer than a cold start
     * @param telemetryGap whether replicas that should be heard of are not
     * @param coverage ready replicas per live one where it was accepted that some are never heard of, else 1
     */
    record Fleet(int ready, int live, Pending orders, int stuck, boolean telemetryGap, double coverage) {
        int pending() {
            return orders.count();
        }

        /** Replicas that serve or will. */
        int working() {
            return ready + pending();
        }
    }

    Fleet update(FleetView fleet, long nowNanos) {
        if (fleet.suppliedDesired().isPresent()) {
            order(fleet.suppliedDesired().getAsInt(), fleet.suppliedPending().isPresent(), nowNanos);
        }
        int live = fleet.live();
        // Who was told to go may be heard for a while yet; of those that serve nobody knows better than the
        // orchestrator.
        int known = Math.min(live - fleet.newcomers(), fleet.suppliedReady().orElse(Integer.MAX_VALUE));
        reached = Math.min(reached, fleet.suppliedReady().orElse(Integer.MAX_VALUE));
        int floor = desired < 0 ? known : Math.min(desired, reached);
        if (fleet.suppliedReady().isPresent() && live >= fleet.suppliedReady().getAsInt()) {
            accepted = Integer.MAX_VALUE;
        }
        boolean gap = live < floor || (desired < 0 && fleet.stale() > 0) || suppliedGap(fleet);
        noteGap(gap, live, nowNanos);
        reached = desired < 0 ? Math.max(known, reached) : Math.max(known, Math.min(reached, desired));
        int heard = live + fleet.stale();
        int ready = fleet.suppliedReady().orElse(missing ? Math.max(live, Math.min(heard, floor)) : live);
        if (desired < 0 && fleet.suppliedReady().isEmpty()) {
            ready = heard;
        }
        boolean unheard = accepted < Integer.MAX_VALUE && fleet.suppliedReady().isPresent() && live > 0;
        double coverage = unheard ? Math.max(1, (double) ready / live) : 1;
        // Replicas that come back after a silence are not those that were ordered.
        int there = fleet.suppliedReady().isPresent() ? ready : Math.max(ready, floor);
        orders.ready(there, nowNanos);
        int stuck = settleOrders(fleet, ready, nowNanos);
        return new Fleet(ready, live, orders.pending(nowNanos), stuck, missing, coverage);
    }

    /** Books what the orchestrator says, or what came of our own orders; returns how many are stuck. */
    private int settleOrders(FleetView fleet, int ready, long nowNanos) {
        if (fleet.suppliedPending().isPresent()) {
            orders.outstanding(fleet.suppliedPending().getAsInt(), nowNanos);
            return orders.overdue(nowNanos);
        }
        orders.giveUp(nowNanos);
        int most = Math.max(0, desired - Math.max(ready, reached));
        if (orders.outstanding() > most) {
            orders.outstanding(most, nowNanos);
        }
        return 0;
    }

    private boolean suppliedGap(FleetView fleet) {
        return fleet.suppliedReady().isPresent()
                && fleet.live() < Math.min(accepted, fleet.suppliedReady().getAsInt());
    }

    private void noteGap(boolean gap, int live, long nowNanos) {
        if (!gap) {
            missing = false;
        } else if (!missing) {
            missing = true;
            missingSinceNanos = nowNanos;
        } else if (live > 0 && (nowNanos - missingSinceNanos) / 1e9 > missingPatienceSeconds) {
            reached = live;
            accepted = live;
            missing = false;
        }
    }

    /**
     * Remembers what was recommended, which is taken for ordered unless it is advice only or the orchestrator says itself
     * what it is to have.
     */
    void recommended(int replicas, FleetView fleet, long nowNanos) {
        if (!advisory && fleet.suppliedDesired().isEmpty()) {
            order(replicas, fleet.suppliedPending().isPresent(), nowNanos);
        }
    }

    /** A larger number than before is an order given now, unless the orchestrator tells what is pending. */
    private void order(int replicas, boolean pendingTold, long nowNanos) {
        if (!pendingTold && replicas > desired) {
            int before = Math.max(desired, reached);
            orders.outstanding(orders.outstanding() + Math.max(0, replicas - before), nowNanos);
        }
        desired = replicas;
        reached = Math.min(reached, replicas);
    }

    /** The replicas ordered last, or the given number if nothing was. */
    int lastDesired(int otherwise) {
        return desired < 0 ? otherwise : desired;
    }

    /** From ordering a replica to its serving, as measured, or as configured until then. */
    double coldStartSeconds() {
        return orders.coldStartSeconds();
    }
}
