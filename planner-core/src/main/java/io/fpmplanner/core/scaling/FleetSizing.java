/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.ScalingObjective;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.FleetProjection.Outcome;
import io.fpmplanner.core.scaling.FleetProjection.Start;

/** Chooses the size of a fleet by projecting what each size would do to requests and GPUs. One use per tick. */
final class FleetSizing {
    /*
     * A size costs its replica-seconds and its requests that miss an objective. Under GOODPUT_PER_GPU each miss weighs
     * as much as the replica time of RATIO_WEIGHT requests (good requests per GPU-second are 40 % of what a
     * replica that always serves at its best could reach). Under SLO a size must meet the objectives in steady state for the demand after a cold start, and on the way
     * there only what lacks to the target share weighs, as much as the time of 1 / (1 - attainment) requests: at 95 %,
     * one miss may be bought off with the time of twenty. Half of the allowed misses are kept for what nobody foresees.
     * Sizes are tried upwards until PATIENCE of them brought no gain; the cost is nearly convex.
     */
    private static final double RATIO_WEIGHT = 2.5;
    private static final int PATIENCE = 3;
    private static final int MOST_SIZES = 40;
    private static final double LEAST_GAIN_SECONDS = 0.5;
    /*
     * How long a replica serves, in cold starts, once it is up; the horizon reaches that far. Too short a horizon never
     * sees a replica pay for its start: with one cold start the board's goodput per GPU-second falls by a quarter.
     */
    private static final double SERVICE_TIMES = 2;

    private static final double LEAST_SERVICE_SECONDS = 30;

    private final ServiceCurve curve;
    private final ScalingSettings scaling;
    private final SloTarget slo;
    private final double horizonSeconds;
    private final double coldStartSeconds;

    FleetSizing(ServiceCurve curve, ScalingSettings scaling, SloTarget slo, double coldStartSeconds) {
        this.curve = curve;
        this.scaling = scaling;
        this.slo = slo;
        this.coldStartSeconds = coldStartSeconds;
        this.horizonSeconds = horizonSeconds(coldStartSeconds);
    }

    /** How far sizes are projected. */
    static double horizonSeconds(double coldStartSeconds) {
        return coldStartSeconds + SERVICE_TIMES * Math.max(coldStartSeconds, LEAST_SERVICE_SECONDS);
    }

    /**
     * A chosen size.
     *
     * @param size replicas to have
     * @param steady smallest size that meets the objectives in steady state
     * @param runnerUp the size that would have cost least but for this one; -1 if no other was tried
     * @param refused whether the runner-up costs less, but misses the objectives in steady state
     */
    record Choice(int size, int steady, int runnerUp, boolean refused) {}

    /** The best size between the given smallest and largest for what is forecast. */
    Choice best(DemandForecast forecast, Start start, int smallest, int largest) {
        FleetProjection projection = projection(forecast, start);
        int steady = steady(forecast, largest);
        int from = Math.max(smallest, scaling.objective() == ScalingObjective.SLO ? Math.min(steady, largest) : 0);
        double perMiss = secondsPerMiss();
        int best = from;
        double bestCost = cost(projection.run(from), perMiss);
        int second = -1;
        double secondCost = Double.POSITIVE_INFINITY;
        int without = 0;
        int tried = 1;
        for (int size = from + 1; size <= largest && without < PATIENCE && tried < MOST_SIZES; size += stride(tried)) {
            double cost = cost(projection.run(size), perMiss);
            tried++;
            without++;
            if (cost < bestCost - LEAST_GAIN_SECONDS) {
                second = best;
                secondCost = bestCost;
                best = size;
                bestCost = cost;
                without = 0;
            } else if (cost < secondCost) {
                second = size;
                secondCost = cost;
            }
        }
        boolean refused = best == from && from > smallest;
        return new Choice(best, steady, refused ? from - 1 : second, refused);
    }

    /** What comes of some sizes for what is forecast. */
    FleetProjection projection(DemandForecast forecast, Start start) {
        double share = scaling.objective() == ScalingObjective.SLO ? (1 + slo.attainment()) / 2 : 1;
        double drain = scaling.pace().drainSeconds();
        return new FleetProjection(curve, forecast, start, horizonSeconds, coldStartSeconds, share, drain);
    }

    double horizonSeconds() {
        return horizonSeconds;
    }

    /** By ones at first, then faster: a hundred replicas are not told apart by one. */
    private static int stride(int tried) {
        return tried < 12 ? 1 : tried < 24 ? 3 : 10;
    }

    private static double cost(Outcome outcome, double perMiss) {
        return outcome.replicaSeconds() + perMiss * outcome.lacking();
    }

    private double secondsPerMiss() {
        double rate = curve.rateWithin(slo.attainment(), 4);
        double perRequest = rate > 0 ? 1 / rate : 1 / Math.max(1e-9, curve.saturatedRate());
        double weight =
                scaling.objective() == ScalingObjective.SLO ? 1 / Math.max(0.01, 1 - slo.attainment()) : RATIO_WEIGHT;
        return weight * perRequest;
    }

    /** The smallest fleet that meets the objectives in steady state for the demand after a cold start. */
    int steady(DemandForecast forecast, int largest) {
        double demand = forecast.requestsPerSecond(coldStartSeconds);
        if (demand <= 0) {
            return 0;
        }
        int size = 1;
        for (int round = 0; round < 4; round++) {
            double rate = sized(size);
            if (rate <= 0) {
                return largest;
            }
            int next = (int) Math.min(largest, Math.ceil(demand / rate));
            if (next <= size) {
                break;
            }
            size = next;
        }
        while (size > 1 && demand / (size - 1) <= sized(size - 1)) {
            size--;
        }
        while (size < largest && demand / size > sized(size)) {
            size++;
        }
        return size;
    }

    /** Requests/s that each of n replicas is sized for. */
    private double sized(int replicas) {
        return Math.min(curve.rateWithin(slo.attainment(), replicas), scaling.targetUtilisation() * curve.sloRate());
    }
}
