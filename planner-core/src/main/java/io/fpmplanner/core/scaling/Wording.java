/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.HpaSteps;
import io.fpmplanner.core.pool.LivenessState;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingPace;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.scaling.Recommendation.Demand;
import io.fpmplanner.core.scaling.Recommendation.PredictedLatency;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A recommendation as sentences for people, with the numbers behind it. Immutable. */
final class Wording {
    private final PoolView pool;
    private final FleetTracker.Fleet fleet;
    private final Verdict verdict;
    private final DemandForecast expected;
    private final int before;

    /**
     * @param before replicas recommended last; -1 if none were
     */
    Wording(Situation situation, Verdict verdict, int before) {
        this.pool = situation.pool();
        this.fleet = situation.fleet();
        this.verdict = verdict;
        this.expected = situation.expected();
        this.before = before;
    }

    String sentence(Demand demand, Optional<ReplicaCapacity> capacity, Optional<PredictedLatency> predicted) {
        int needed = (int) Math.ceil(demand.neededReplicas().orElse(-1));
        boolean unconfirmed = verdict.reason() == ReasonCode.WITHIN_CAPACITY && needed > fleet.working();
        String why = unconfirmed
                ? "More replicas look needed, which the next seconds must confirm. "
                : why(verdict.reason(), predicted);
        String load = load(demand, capacity);
        String size = size(needed);
        String unheard = fleet.coverage() > 1
                ? String.format(
                        Locale.ROOT,
                        "%d of %d replicas are never heard of and taken to be loaded like the others. ",
                        fleet.ready() - fleet.live(),
                        fleet.ready())
                : "";
        return (why + unheard + forecast(demand) + load + size).strip();
    }

    private String why(ReasonCode reason, Optional<PredictedLatency> predicted) {
        double ttftShare = predicted.map(latency -> latency.sloShare().ttft()).orElse(0.0);
        double itlShare =
                predicted.map(latency -> latency.sloShare().itl().orElse(0)).orElse(0.0);
        return switch (reason) {
            case DEMAND_ABOVE_CAPACITY -> "Demand exceeds what the ready replicas can serve. ";
            case DEMAND_BELOW_CAPACITY -> "Fewer replicas would serve the demand. ";
            case WITHIN_CAPACITY -> "Demand fits the present replicas. ";
            case RISING_DEMAND -> "Demand rises and will exceed the ready replicas within a cold start. ";
            case QUEUE_BACKLOG -> "What waits must be worked off besides the demand. ";
            case TTFT_ABOVE_SLO ->
                String.format(
                        Locale.ROOT,
                        "With what waits, %.0f %% of requests are predicted to meet the TTFT objective of %s,"
                                + " not %.0f %%. ",
                        100 * ttftShare,
                        seconds(pool.settings().slo().ttftSeconds()),
                        100 * pool.settings().slo().attainment());
            case ITL_ABOVE_SLO ->
                String.format(
                        Locale.ROOT,
                        "%.0f %% of the running requests are predicted to meet the ITL objective of %s, not %.0f %%. ",
                        100 * itlShare,
                        seconds(pool.settings().slo().itlSeconds()),
                        100 * pool.settings().slo().attainment());
            case IDLE -> "There is no traffic. ";
            case REQUESTS_AT_ZERO -> "Requests come, and no replica serves them. ";
            case VARIANT_SHIFT -> "What a dearer variant of this model lacks is served here for less. ";
            case SLO_UNREACHABLE ->
                "Even a lone request on an idle replica misses the objective;"
                        + " more replicas cannot mend that, so the fleet is sized for demand alone. ";
            case NO_DATA -> noData();
            case STALE_TELEMETRY ->
                String.format(
                        Locale.ROOT,
                        "No worker has been heard of for %s; that says nothing about load. ",
                        seconds(pool.dataAgeSeconds()));
            case PARTIAL_TELEMETRY -> partial();
            case MODEL_COLD -> "Too few steps were seen to know what a replica can serve. ";
        };
    }

    private String noData() {
        if (pool.fleet().everSeen()) {
            return "No replica is there, and nobody says whether requests wait. ";
        }
        boolean restarted = before >= 0 && pool.fleet().suppliedReady().isEmpty();
        return "No frame has been received from this pool yet. "
                + (restarted ? "What was recommended before holds. " : "");
    }

    private String partial() {
        long silent = pool.workers().stream()
                .flatMap(worker -> worker.ranks().stream())
                .filter(rank -> rank.state() == LivenessState.STALE)
                .count();
        return silent > 0
                ? String.format(
                        Locale.ROOT,
                        "%d of %d ranks are silent, so only %d of %d workers are fully heard of. ",
                        silent,
                        silent + pool.liveRanks().count(),
                        fleet.live(),
                        fleet.live() + pool.fleet().stale())
                : unheard();
    }

    private String unheard() {
        return fleet.ready() > fleet.live()
                ? String.format(Locale.ROOT, "Only %d of %d replicas are heard of. ", fleet.live(), fleet.ready())
                : String.format(
                        Locale.ROOT,
                        "Only %d %s heard of, fewer than there were. ",
                        fleet.live(),
                        fleet.live() == 1 ? "replica is" : "replicas are");
    }

    private String forecast(Demand demand) {
        return switch (demand.forecastOrigin()) {
            case TREND -> "";
            case SEASON ->
                expected.season()
                        .map(season -> String.format(
                                Locale.ROOT,
                                "As every %s before, %.2f requests/s are expected within a cold start. ",
                                period(season.periodSeconds()),
                                season.requestsPerSecond(season.aheadSeconds())))
                        .orElse("");
            case SUPPLIED ->
                String.format(
                        Locale.ROOT,
                        "A supplied forecast expects %.2f requests/s within a cold start. ",
                        expected.course()
                                .map(course -> course.requestsPerSecond(course.horizonSeconds()))
                                .orElse(OptionalDouble.empty())
                                .orElse(0));
        };
    }

    private static String period(double seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    private String load(Demand demand, Optional<ReplicaCapacity> capacity) {
        if (capacity.isEmpty() || demand.neededReplicas().isEmpty()) {
            return "";
        }
        ReplicaCapacity replica = capacity.get();
        double byPrefill = ratio(demand.prefillTokensPerSecond(), replica.prefillTokensPerSecond());
        double byDecode = ratio(demand.decodeTokensPerSecond(), replica.decodeTokensPerSecond());
        boolean decode = byDecode > byPrefill || pool.settings().role() == Role.DECODE;
        double steady = demand.steadyReplicas().orElse(0);
        double needed = demand.neededReplicas().getAsDouble();
        String beyond = String.join(
                " and ",
                Stream.of(
                                demand.forecastFactor() > 1
                                        ? String.format(
                                                Locale.ROOT, "a rise by %.0f %%", 100 * (demand.forecastFactor() - 1))
                                        : "",
                                demand.backlogTokens() >= 1
                                        ? String.format(Locale.ROOT, "%.0f tokens that wait", demand.backlogTokens())
                                        : "")
                        .filter(part -> !part.isEmpty())
                        .toList());
        String besides =
                beyond.isEmpty() ? spare(steady, needed) : String.format(Locale.ROOT, ", %.0f with %s", needed, beyond);
        if (demand.requestsPerSecond().isPresent()
                && replica.requestsPerSecond().isPresent()
                && replica.requestsPerSecond().getAsDouble() > 0) {
            return String.format(
                    Locale.ROOT,
                    "%.2f requests/s need %.2f replicas of %.2f requests/s within the objectives%s. ",
                    demand.requestsPerSecond().getAsDouble(),
                    steady,
                    replica.requestsPerSecond().getAsDouble(),
                    besides);
        }
        return String.format(
                Locale.ROOT,
                "%.0f %s tokens/s need %.2f replicas within the objectives%s. ",
                decode ? demand.decodeTokensPerSecond() : demand.prefillTokensPerSecond(),
                decode ? "decode" : "prefill",
                steady,
                besides);
    }

    /** Why more are needed than full use would take, where nothing else says so. */
    private String spare(double steady, double needed) {
        return needed > Math.ceil(steady)
                ? String.format(
                        Locale.ROOT,
                        ", %.0f at a target utilisation of %.0f %%",
                        needed,
                        100 * pool.settings().scaling().targetUtilisation())
                : "";
    }

    private static double ratio(double demand, double capacity) {
        return capacity > 0 ? demand / capacity : 0;
    }

    private String size(int needed) {
        String ready = fleet.ready() + " ready" + (fleet.pending() > 0 ? ", " + fleet.pending() + " pending" : "")
                + (fleet.stuck() > 0 ? ", " + fleet.stuck() + " pending for far too long" : "");
        if (verdict.desired().isEmpty()) {
            return "Nothing can be recommended.";
        }
        int desired = verdict.desired().getAsInt();
        ScalingSettings scaling = pool.settings().scaling();
        String limit = verdict.limitedBy()
                .map(factor -> switch (factor) {
                    case UPPER_FORECAST -> ", since fewer would not do if somewhat more came";
                    case CONFIRMING -> " until the next seconds confirm that more are needed";
                    case MIN_REPLICAS -> ", the minimum";
                    case MAX_REPLICAS -> ", the maximum";
                    case STABILISATION -> " until fewer have sufficed for the stabilisation time";
                    case COLD_START -> " while ordered replicas start";
                    case TELEMETRY -> " until the data is whole";
                    case STEP_LIMIT -> ", the most that may change at once";
                    case COOLDOWN -> " until the change before is long enough ago";
                    case GPU_BUDGET -> ", since the GPUs of the pools together are limited";
                    case CHEAPER_VARIANT -> ", since a cheaper variant of the model takes on what lacks";
                    case HPA_TOLERANCE -> tolerance(desired == fleet.working() + fleet.stuck(), scaling.pace());
                })
                .orElse(
                        needed >= 0 && needed < desired && desired > scaling.minReplicas() && fleet.stuck() == 0
                                ? ", since fewer have not sufficed for long enough"
                                : "");
        return ready + ": " + verb(desired) + desired + limit + ".";
    }

    /** A fleet that somebody else has changed is held as it is now, not as it was recommended. */
    private String verb(int desired) {
        boolean holding = desired == fleet.working() + fleet.stuck() || verdict.status() == ScalingStatus.UNDECIDED;
        if (!holding) {
            return "recommended are ";
        }
        return before < 0 || before == desired
                ? "hold "
                : String.format(Locale.ROOT, "no longer the %d recommended before, but hold ", before);
    }

    private static String tolerance(boolean held, ScalingPace pace) {
        String percent = String.format(Locale.ROOT, "%.0f %%", 100 * pace.hpaTolerance());
        if (held) {
            return ", since an autoscaler with a tolerance of " + percent + " would ignore so small a shrinking";
        }
        return pace.hpaSteps() == HpaSteps.EXCEED
                ? ", rounded up past an autoscaler's tolerance of " + percent
                : ", a change that an autoscaler with a tolerance of " + percent + " ignores";
    }

    private static String seconds(double value) {
        if (Double.isInfinite(value)) {
            return "ever";
        }
        return value < 1
                ? String.format(Locale.ROOT, "%.0f ms", 1000 * value)
                : String.format(Locale.ROOT, "%.1f s", value);
    }
}
