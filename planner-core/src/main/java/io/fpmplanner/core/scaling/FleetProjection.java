/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

/**
 * What happens to requests and GPUs over the next while if the fleet is ordered to a given size now. A fluid model: cheap
 * enough to try every size at every tick. Stateless.
 */
final class FleetProjection {
    /*
     * Per step of time: replicas that are ready by then serve; what they cannot take waits; the batch of each follows
     * its steady value within one stay of a request. Arrivals of the step meet the objectives in the share that the
     * curve gives for that rate, batch and wait.
     */
    private static final int STEPS = 48;

    private final ServiceCurve curve;
    private final DemandForecast forecast;
    private final Start start;
    private final double horizonSeconds;
    private final double coldStartSeconds;

    /**
     * @param horizonSeconds how far to look, more than a cold start
     * @param coldStartSeconds when a replica ordered now will serve
     */
    FleetProjection(
            ServiceCurve curve, DemandForecast forecast, Start start, double horizonSeconds, double coldStartSeconds) {
        this.curve = curve;
        this.forecast = forecast;
        this.start = start;
        this.horizonSeconds = horizonSeconds;
        this.coldStartSeconds = coldStartSeconds;
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
     * @param arrivals requests that come over the horizon
     * @param good of these, those that meet the objectives
     * @param lateArrivals of these, those that come when replicas ordered now would serve
     * @param lateGood of these, those that meet the objectives
     * @param replicaSeconds replicas times seconds, starting ones included
     * @param worstWaitSeconds the longest wait of an arrival after a cold start
     */
    record Outcome(
            double arrivals,
            double good,
            double lateArrivals,
            double lateGood,
            double replicaSeconds,
            double worstWaitSeconds) {
        double bad() {
            return Math.max(0, arrivals - good);
        }

        double lateAttainment() {
            return lateArrivals > 0 ? Math.min(1, lateGood / lateArrivals) : 1;
        }

        double attainment() {
            return arrivals > 0 ? Math.min(1, good / arrivals) : 1;
        }
    }

    /** Projects a fleet that is ordered to the given size now. */
    Outcome run(int target) {
        double dt = horizonSeconds / STEPS;
        double waiting = start.waitingRequests();
        double batch = start.batch();
        double before = Math.max(1, Math.min(start.ready(), target));
        double arrivals = 0;
        double good = 0;
        double lateArrivals = 0;
        double lateGood = 0;
        double replicaSeconds = 0;
        double worstWait = 0;
        for (int step = 0; step < STEPS; step++) {
            double time = (step + 0.5) * dt;
            double serving = serving(target, time);
            replicaSeconds += dt * Math.max(target, serving);
            double inflow = forecast.requestsPerSecond(time) * dt;
            double capacity = serving * curve.saturatedRate();
            double left = Math.max(0, waiting + inflow - capacity * dt);
            double taken = waiting + inflow - left;
            double wait = capacity > 0 ? (waiting + left) / 2 / capacity : Double.POSITIVE_INFINITY;
            waiting = left;
            double share = 0;
            if (serving > 0) {
                double perReplica = taken / dt / serving;
                batch *= Math.min(1, before / serving);
                double steady = curve.batchAt(perReplica);
                batch = steady + (batch - steady) * Math.exp(-dt / curve.staySeconds(batch));
                share = curve.attainment(Math.min(perReplica, curve.saturatedRate()), (int) serving, batch, wait);
                before = serving;
            }
            arrivals += inflow;
            good += inflow * share;
            if (time >= coldStartSeconds) {
                lateArrivals += inflow;
                lateGood += inflow * share;
                worstWait = Math.max(worstWait, wait);
            }
        }
        return new Outcome(arrivals, good, lateArrivals, lateGood, replicaSeconds, worstWait);
    }

    /** Replicas that serve at a time from now: those ready, those ordered before, those ordered now. */
    private double serving(int target, double time) {
        int ordered = start.ready() + start.pending().dueWithin(time);
        int now = time >= coldStartSeconds
                ? Math.max(0, target - start.ready() - start.pending().count())
                : 0;
        return Math.min(target, ordered + now);
    }
}
