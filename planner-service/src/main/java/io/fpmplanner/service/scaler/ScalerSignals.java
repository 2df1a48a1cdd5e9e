/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaler;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.service.config.InterfaceSettings.Undecided;
import io.fpmplanner.service.metrics.Known;
import io.fpmplanner.service.metrics.PoolFigures;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a pool that scalers ask for. Threadsafe.
 *
 * <p>A plan that is no longer valid, and a pool that is {@code UNDECIDED}, have no desired replicas unless holding is
 * configured: an autoscaler keeps what it has when it is refused, while a number would be acted upon. A pool in advisory
 * mode has none in any case.
 */
public final class ScalerSignals {
    private final Undecided undecided;
    private final LongSupplier nanoClock;
    private final BooleanSupplier stalled;

    /**
     * Answers by one policy.
     *
     * @param undecided what is told while nothing can be decided
     * @param nanoClock nanoseconds since the Unix epoch
     * @param stalled whether plans come no more
     */
    public ScalerSignals(Undecided undecided, LongSupplier nanoClock, BooleanSupplier stalled) {
        this.undecided = undecided;
        this.nanoClock = nanoClock;
        this.stalled = stalled;
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
        if (recommendation.advisory()) {
            return new Signal.Unknown("pool " + plan.id() + " is in advisory mode: what is recommended ("
                    + recommendation.message() + ") is not to be acted upon");
        }
        if (why.isEmpty()) {
            return new Signal.Known(recommendation.desired().getAsInt(), false);
        }
        return undecided == Undecided.HOLD && recommendation.desired().isPresent()
                ? new Signal.Known(recommendation.desired().getAsInt(), true)
                : new Signal.Unknown(why);
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
        long nowNanos = nanoClock.getAsLong();
        return stalled.getAsBoolean() || nowNanos > recommendation.validUntilNanos()
                ? String.format(
                        Locale.ROOT,
                        "the newest plan for pool %s is %.0f s old: the planner has stalled, see its log",
                        recommendation.poolId(),
                        (nowNanos - recommendation.decidedAtNanos()) / 1e9)
                : "";
    }
}
