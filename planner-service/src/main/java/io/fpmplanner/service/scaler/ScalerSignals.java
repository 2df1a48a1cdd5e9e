/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaler;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.service.config.InterfaceSettings.Undecided;
import io.fpmplanner.service.metrics.Known;
import io.fpmplanner.service.metrics.PoolFigures;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a pool that scalers ask for. Threadsafe.
 *
 * <p>A plan that is no longer valid, and a pool that is {@code UNDECIDED}, have no desired replicas: an autoscaler keeps what
 * it has when it is refused, while a number would be acted upon.
 */
public final class ScalerSignals {
    private final Undecided undecided;
    private final LongSupplier nanoClock;
    private final Map<String, Integer> lastDecided = new ConcurrentHashMap<>();

    /**
     * Answers by one policy.
     *
     * @param undecided what is told while nothing can be decided
     * @param nanoClock nanoseconds since the Unix epoch
     */
    public ScalerSignals(Undecided undecided, LongSupplier nanoClock) {
        this.undecided = undecided;
        this.nanoClock = nanoClock;
    }

    /** Remembers what was decided, for {@link Undecided#HOLD}. */
    public void observe(PlanView plan) {
        for (PoolPlan pool : plan.pools()) {
            Recommendation recommendation = pool.recommendation();
            if (recommendation.status() != ScalingStatus.UNDECIDED
                    && recommendation.desired().isPresent()) {
                lastDecided.put(pool.id(), recommendation.desired().getAsInt());
            }
        }
    }

    /** Replicas to have. */
    public Signal desiredReplicas(PoolPlan plan) {
        Recommendation recommendation = plan.recommendation();
        String why = expired(recommendation);
        if (why.isEmpty() && recommendation.status() == ScalingStatus.UNDECIDED) {
            why = "pool " + plan.id() + " is UNDECIDED (" + recommendation.reason() + "): " + recommendation.message();
        } else if (why.isEmpty() && recommendation.desired().isEmpty()) {
            why = "pool " + plan.id() + " has no recommendation (" + recommendation.reason() + "): "
                    + recommendation.message();
        }
        if (why.isEmpty()) {
            return new Signal.Known(recommendation.desired().getAsInt(), false);
        }
        Integer last = undecided == Undecided.HOLD ? lastDecided.get(plan.id()) : null;
        return last == null ? new Signal.Unknown(why) : new Signal.Known(last, true);
    }

    /**
     * Desired replicas over ready ones, for scalers that multiply what they have. Without ready replicas it is the desired
     * number, as an HPA takes it at zero, unless some are on their way.
     */
    public Signal desiredRatio(PoolPlan plan) {
        Signal desired = desiredReplicas(plan);
        if (!(desired instanceof Signal.Known known)) {
            return desired;
        }
        Recommendation.Fleet fleet = plan.recommendation().fleet();
        if (!Known.replicas(plan.pool()) || (fleet.ready() == 0 && fleet.current() > 0)) {
            return new Signal.Unknown(
                    "pool " + plan.id() + " has no ready replica to relate " + (int) known.value() + " to");
        }
        return new Signal.Known(known.value() / Math.max(1, fleet.ready()), known.held());
    }

    /** A statistic of the TTFT predicted for a typical request, seconds. */
    public Signal ttftSeconds(PoolPlan plan, ToDoubleFunction<LatencySpread> statistic) {
        return predicted(
                plan,
                plan.recommendation()
                        .predicted()
                        .map(Recommendation.PredictedLatency::ttft)
                        .map(statistic::applyAsDouble)
                        .orElse(Double.NaN),
                "TTFT");
    }

    /** A statistic of the predicted ITL, seconds. */
    public Signal itlSeconds(PoolPlan plan, ToDoubleFunction<LatencySpread> statistic) {
        return predicted(
                plan,
                plan.recommendation()
                        .predicted()
                        .flatMap(Recommendation.PredictedLatency::itl)
                        .map(statistic::applyAsDouble)
                        .orElse(Double.NaN),
                "ITL");
    }

    /** Share of requests predicted to meet both objectives, 0 to 1. */
    public Signal sloAttainment(PoolPlan plan) {
        return predicted(plan, PoolFigures.sloAttainment(plan), "SLO attainment");
    }

    /** How long the ready replicas need for what waits, seconds. */
    public Signal backlogSeconds(PoolPlan plan) {
        return predicted(plan, PoolFigures.backlogSeconds(plan), "backlog");
    }

    private Signal predicted(PoolPlan plan, double value, String what) {
        String expired = expired(plan.recommendation());
        if (!expired.isEmpty()) {
            return new Signal.Unknown(expired);
        }
        Recommendation recommendation = plan.recommendation();
        return Signal.of(
                value,
                "the " + what + " of pool " + plan.id() + " is not known (evidence " + recommendation.evidence() + ", "
                        + recommendation.reason() + "): " + recommendation.message());
    }

    private String expired(Recommendation recommendation) {
        double overdueSeconds = (nanoClock.getAsLong() - recommendation.validUntilNanos()) / 1e9;
        return overdueSeconds <= 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "the plan for pool %s is no longer valid since %.1f s: the planner has stalled, see its log",
                        recommendation.poolId(),
                        overdueSeconds);
    }
}
