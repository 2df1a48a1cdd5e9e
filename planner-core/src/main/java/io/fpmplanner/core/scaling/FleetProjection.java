/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/**
 * What happens to requests and GPUs over the next while if the fleet is ordered to a given size now. A fluid model: cheap
 * enough to try every size at every tick. Stateless.
 */
final class FleetProjection {
    /*
     * Two groups of replicas: those that serve now and hold what waits, for engines do not give away what they queued;
     * and those that come. Per step of time arrivals spread evenly, but a load-aware router spares the present ones
     * while they have a queue and the others have room. What a group cannot take waits there; its batch follows the
     * steady value within one stay of a request. Arrivals meet the objectives in the share that the curve gives for
     * that rate, batch and wait.
     */
    private static final int STEPS = 48;

    private final ServiceCurve curve;
    private final DemandForecast forecast;
    private final Start start;
    private final double horizonSeconds;
    private final double coldStartSeconds;
    private final double targetShare;
    private final double drainSeconds;

    /**
     * @param horizonSeconds how far to look, more than a cold start
     * @param coldStartSeconds when a replica ordered now will serve
     * @param targetShare share of requests that is aimed at in every step, 0 to 1
     * @param drainSeconds how long a replica that is given up keeps its GPUs
     */
    FleetProjection(
            ServiceCurve curve,
            DemandForecast forecast,
            Start start,
            double horizonSeconds,
            double coldStartSeconds,
            double targetShare,
            double drainSeconds) {
        this.curve = curve;
        this.forecast = forecast;
        this.start = start;
        this.horizonSeconds = horizonSeconds;
        this.coldStartSeconds = coldStartSeconds;
        this.targetShare = targetShare;
        this.drainSeconds = drainSeconds;
    }

    /**
     * Where the fleet stands.
     *
     * @param ready replicas that serve
     * @param pending replicas ordered, by when they are expected
     * @param waitingRequests requests that wait, all replicas together
     * @param batch decode requests of each rank
     */
    record Start(int ready, OrderBook.Pending pending, double waitingRequests, double batch) {}

    /**
     * What was found.
     *
     * @param replicaSeconds replicas times seconds, starting and draining ones included
     * @param lacking requests that would have to meet the objectives besides, step by step, for the share that is aimed at
     * @param arrivals requests that come
     * @param good of these, those that meet the objectives
     * @param ttftSeconds mean time to first token of those that come, seconds
     * @param itlSeconds mean time between their tokens, seconds
     */
    record Outcome(
            double replicaSeconds,
            double lacking,
            double arrivals,
            double good,
            double ttftSeconds,
            double itlSeconds) {}

    /** Projects a fleet that is ordered to the given size now. */
    Outcome run(int target) {
        double dt = horizonSeconds / STEPS;
        Group present = new Group(start.waitingRequests(), start.batch());
        Group coming = new Group(0, 0);
        double replicaSeconds = drainSeconds * Math.max(0, start.ready() - target);
        double lacking = 0;
        double arrivals = 0;
        double allGood = 0;
        for (int step = 0; step < STEPS; step++) {
            double time = (step + 0.5) * dt;
            present.size(Math.min(target, start.ready()));
            coming.size(serving(target, time) - present.replicas);
            double inflow = forecast.requestsPerSecond(time) * dt;
            double toComing = inflow * shareOfComing(present, coming, inflow, dt);
            double good = present.take(inflow - toComing, dt) + coming.take(toComing, dt);
            replicaSeconds += dt * Math.max(target, present.replicas + coming.replicas);
            lacking += Math.max(0, inflow * targetShare - good);
            arrivals += inflow;
            allGood += good;
        }
        double perRequest = arrivals > 0 ? 1 / arrivals : 0;
        return new Outcome(
                replicaSeconds,
                lacking,
                arrivals,
                allGood,
                perRequest * (present.ttftSum + coming.ttftSum),
                perRequest * (present.itlSum + coming.itlSum));
    }

    /** Which part of the arrivals goes to the replicas that come. */
    private double shareOfComing(Group present, Group coming, double inflow, double dt) {
        double all = present.replicas + coming.replicas;
        if (all <= 0 || coming.replicas <= 0) {
            return 0;
        }
        double even = coming.replicas / all;
        if (present.waiting <= 0 || inflow <= 0) {
            return even;
        }
        double room = coming.replicas * curve.sloRate() * dt / inflow;
        return Math.max(even, Math.min(1, room));
    }

    /** Replicas that serve at a time from now: those ready, those ordered before, those ordered now. */
    private double serving(int target, double time) {
        int ordered = start.ready() + start.pending().dueWithin(time);
        int now = time >= coldStartSeconds
                ? Math.max(0, target - start.ready() - start.pending().count())
                : 0;
        return Math.min(target, ordered + now);
    }

    /** Replicas that are alike. */
    private final class Group {
        private double replicas;
        private double waiting;
        private double batch;
        private double ttftSum;
        private double itlSum;

        Group(double waiting, double batch) {
            this.waiting = waiting;
            this.batch = batch;
        }

        void size(double now) {
            if (now > 0 && replicas > 0) {
                batch *= replicas / now;
            }
            replicas = Math.max(0, now);
        }

        /** Takes arrivals in; returns how many of them meet the objectives. */
        double take(double inflow, double dt) {
            if (replicas <= 0) {
                waiting += inflow;
                ttftSum += inflow * horizonSeconds;
                return 0;
            }
            double capacity = replicas * curve.saturatedRate() * dt;
            double before = waiting;
            waiting = Math.max(0, before + inflow - capacity);
            double perReplica = Math.min(curve.saturatedRate(), (before + inflow - waiting) / dt / replicas);
            double steady = curve.batchAt(perReplica);
            batch = steady + (batch - steady) * Math.exp(-dt / curve.staySeconds(batch));
            double wait = (before + waiting) / 2 / (capacity / dt);
            if (inflow > 0) {
                double itl = curve.itlSeconds(batch);
                ttftSum += inflow * (wait + itl / 2 + curve.ownPrefillSeconds(batch));
                itlSum += inflow * itl;
            }
            return inflow > 0 ? inflow * curve.attainment(perReplica, (int) replicas, batch, wait) : 0;
        }
    }
}
