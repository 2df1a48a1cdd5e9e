/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.metrics.Known;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** One curve of a pool's history; NaN where it is not known. */
enum Series {
    REQUESTS_PER_SECOND(
            "requestsPerSecond", plan -> demand(plan, demand -> known(demand.requestsPerSecond())), Merging.MEAN),
    REQUESTS_PER_SECOND_MAX(
            "requestsPerSecondMax", plan -> demand(plan, demand -> known(demand.requestsPerSecond())), Merging.MAX),
    PREFILL_TOKENS_PER_SECOND(
            "prefillTokensPerSecond",
            plan -> demand(plan, Recommendation.Demand::prefillTokensPerSecond),
            Merging.MEAN),
    DECODE_TOKENS_PER_SECOND(
            "decodeTokensPerSecond", plan -> demand(plan, Recommendation.Demand::decodeTokensPerSecond), Merging.MEAN),
    RUNNING_REQUESTS("runningRequests", plan -> load(plan, PoolLoad::running), Merging.MEAN),
    QUEUED_REQUESTS(
            "queuedRequests",
            plan -> load(plan, load -> load.queuedPrefillRequests() + load.queuedDecodeRequests()),
            Merging.MAX),
    BACKLOG_SECONDS("backlogSeconds", Series::backlogSeconds, Merging.MAX),
    BUSY_SHARE("busyShare", plan -> load(plan, PoolLoad::busyShare), Merging.MEAN),
    TTFT_P50("ttftP50Seconds", plan -> ttft(plan, LatencySpread::p50Seconds), Merging.MEAN),
    TTFT_P90("ttftP90Seconds", plan -> ttft(plan, LatencySpread::p90Seconds), Merging.MAX),
    ITL_P50("itlP50Seconds", plan -> itl(plan, LatencySpread::p50Seconds), Merging.MEAN),
    ITL_P90("itlP90Seconds", plan -> itl(plan, LatencySpread::p90Seconds), Merging.MAX),
    ITL_FROM_FRAMES("itlFromFramesSeconds", Series::itlFromFrames, Merging.MEAN),
    TTFT_OBSERVED_P50("ttftObservedP50Seconds", Merging.MEAN),
    TTFT_OBSERVED_P90("ttftObservedP90Seconds", Merging.MAX),
    ITL_OBSERVED_P50("itlObservedP50Seconds", Merging.MEAN),
    ITL_OBSERVED_P90("itlObservedP90Seconds", Merging.MAX),
    READY_REPLICAS("readyReplicas", plan -> fleet(plan, Recommendation.Fleet::ready), Merging.LAST),
    PENDING_REPLICAS("pendingReplicas", plan -> fleet(plan, Recommendation.Fleet::pending), Merging.LAST),
    DESIRED_REPLICAS(
            "desiredReplicas",
            plan -> plan.recommendation().desired().isPresent()
                    ? plan.recommendation().desired().getAsInt()
                    : Double.NaN,
            Merging.LAST),
    PREFILL_ERROR("prefillError", plan -> regime(plan, StepRegime.PREFILL, RegimeReadiness::mape), Merging.MEAN),
    DECODE_ERROR("decodeError", plan -> regime(plan, StepRegime.DECODE, RegimeReadiness::mape), Merging.MEAN),
    MIXED_ERROR("mixedError", plan -> regime(plan, StepRegime.MIXED, RegimeReadiness::mape), Merging.MEAN),
    PREFILL_COVERAGE(
            "prefillCoverage90", plan -> regime(plan, StepRegime.PREFILL, RegimeReadiness::coverage90), Merging.MEAN),
    DECODE_COVERAGE(
            "decodeCoverage90", plan -> regime(plan, StepRegime.DECODE, RegimeReadiness::coverage90), Merging.MEAN),
    MIXED_COVERAGE(
            "mixedCoverage90", plan -> regime(plan, StepRegime.MIXED, RegimeReadiness::coverage90), Merging.MEAN),
    DRIFT_RESETS("driftResets", plan -> plan.pool().model().snapshot().report().driftResets(), Merging.LAST);

    /** How values of one step of time become one. */
    enum Merging {
        MEAN,
        /** For what is looked at for its peaks: a mean over half a minute would hide one. */
        MAX,
        LAST
    }

    private static final Series[] ALL = values();

    private final String json;

    @SuppressWarnings("ImmutableEnumChecker") // They hold nothing.
    private final ToDoubleFunction<PoolPlan> reading;

    private final Merging merging;

    /** One that no plan holds. */
    Series(String json, Merging merging) {
        this(json, plan -> Double.NaN, merging);
    }

    Series(String json, ToDoubleFunction<PoolPlan> reading, Merging merging) {
        this.json = json;
        this.reading = reading;
        this.merging = merging;
    }

    static int count() {
        return ALL.length;
    }

    static Optional<Series> named(String json) {
        for (Series series : ALL) {
            if (series.json.equals(json)) {
                return Optional.of(series);
            }
        }
        return Optional.empty();
    }

    /** Its name in documents. */
    String json() {
        return json;
    }

    Merging merging() {
        return merging;
    }

    /** Its place in a row. */
    @SuppressWarnings("EnumOrdinal") // Rows do not outlive the process.
    int index() {
        return ordinal();
    }

    /** Sets its value in a row. */
    void put(double[] row, double value) {
        row[index()] = value;
    }

    /** Fills one value a series. */
    static void read(PoolPlan plan, double[] row) {
        for (Series series : ALL) {
            series.put(row, series.reading.applyAsDouble(plan));
        }
    }

    private static double known(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }

    private static double demand(PoolPlan plan, ToDoubleFunction<Recommendation.Demand> figure) {
        return Known.load(plan.pool())
                ? figure.applyAsDouble(plan.recommendation().demand())
                : Double.NaN;
    }

    private static double load(PoolPlan plan, ToDoubleFunction<PoolLoad> figure) {
        return Known.load(plan.pool()) ? figure.applyAsDouble(plan.pool().load()) : Double.NaN;
    }

    private static double fleet(PoolPlan plan, ToDoubleFunction<Recommendation.Fleet> figure) {
        return Known.replicas(plan.pool())
                ? figure.applyAsDouble(plan.recommendation().fleet())
                : Double.NaN;
    }

    /** A prediction of silent engines is of the past. */
    private static double ttft(PoolPlan plan, ToDoubleFunction<LatencySpread> figure) {
        return plan.recommendation()
                .predicted()
                .filter(predicted -> Known.load(plan.pool()))
                .map(predicted -> figure.applyAsDouble(predicted.ttft()))
                .orElse(Double.NaN);
    }

    private static double itl(PoolPlan plan, ToDoubleFunction<LatencySpread> figure) {
        return plan.recommendation()
                .predicted()
                .filter(predicted -> Known.load(plan.pool()))
                .flatMap(Recommendation.PredictedLatency::itl)
                .map(figure::applyAsDouble)
                .orElse(Double.NaN);
    }

    private static double itlFromFrames(PoolPlan plan) {
        var seen = plan.pool().load().seen();
        return Known.load(plan.pool()) && seen.tokens() > 0 ? seen.meanItlSeconds() : Double.NaN;
    }

    /** What waits over what the ready replicas do, at the rate that they hold within the objectives. */
    private static double backlogSeconds(PoolPlan plan) {
        Recommendation recommendation = plan.recommendation();
        boolean decode = recommendation.role() == Role.DECODE;
        double rate = recommendation
                .capacity()
                .map(capacity -> decode ? capacity.decodeTokensPerSecond() : capacity.prefillTokensPerSecond())
                .orElse(Double.NaN);
        double all = rate * recommendation.fleet().ready();
        double waiting = demand(plan, Recommendation.Demand::backlogTokens);
        return all > 0 ? waiting / all : Double.NaN;
    }

    private static double regime(PoolPlan plan, StepRegime regime, Function<RegimeReadiness, OptionalDouble> figure) {
        return plan.pool().model().snapshot().readiness().stream()
                .filter(readiness -> readiness.regime() == regime)
                .map(figure)
                .mapToDouble(Series::known)
                .findFirst()
                .orElse(Double.NaN);
    }
}
