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
import java.util.stream.Stream;

/** Recommendations as sentences for people, with the numbers behind them. */
final class Wording {
    private Wording() {}

    static String of(
            Situation situation,
            Verdict verdict,
            Demand demand,
            Optional<ReplicaCapacity> capacity,
            Optional<PredictedLatency> predicted) {
        PoolView pool = situation.pool();
        FleetTracker.Fleet fleet = situation.fleet();
        int needed = (int) Math.ceil(demand.neededReplicas().orElse(-1));
        boolean unconfirmed = verdict.reason() == ReasonCode.WITHIN_CAPACITY && needed > fleet.working();
        String why = unconfirmed
                ? "More replicas look needed, which the next seconds must confirm. "
                : why(pool, fleet, verdict.reason(), predicted);
        String load = load(pool, demand, capacity);
        String size = size(fleet, verdict, pool.settings().scaling(), needed);
        String unheard = fleet.coverage() > 1
                ? String.format(
                        Locale.ROOT,
                        "%d of %d replicas are never heard of and taken to be loaded like the others. ",
                        fleet.ready() - fleet.live(),
                        fleet.ready())
                : "";
        return (why + unheard + load + size).strip();
    }

    private static String why(
            PoolView pool, FleetTracker.Fleet fleet, ReasonCode reason, Optional<PredictedLatency> predicted) {
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
            case NO_DATA ->
                pool.fleet().everSeen()
                        ? "No replica is there, and nobody says whether requests wait. "
                        : "No frame has been received from this pool yet. ";
            case STALE_TELEMETRY ->
                String.format(
                        Locale.ROOT,
                        "No worker has been heard of for %s; that says nothing about load. ",
                        seconds(pool.dataAgeSeconds()));
            case PARTIAL_TELEMETRY -> partial(pool, fleet);
            case MODEL_COLD -> "Too few steps were seen to know what a replica can serve. ";
        };
    }

    private static String partial(PoolView pool, FleetTracker.Fleet fleet) {
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
                : String.format(Locale.ROOT, "Only %d of %d replicas are heard of. ", fleet.live(), fleet.ready());
    }

    private static String load(PoolView pool, Demand demand, Optional<ReplicaCapacity> capacity) {
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
        String besides = beyond.isEmpty() ? "" : String.format(Locale.ROOT, ", %.0f with %s", needed, beyond);
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

    private static double ratio(double demand, double capacity) {
        return capacity > 0 ? demand / capacity : 0;
    }

    private static String size(FleetTracker.Fleet fleet, Verdict verdict, ScalingSettings scaling, int needed) {
        String ready = fleet.ready() + " ready" + (fleet.pending() > 0 ? ", " + fleet.pending() + " pending" : "")
                + (fleet.stuck() > 0 ? ", " + fleet.stuck() + " pending for far too long" : "");
        if (verdict.desired().isEmpty()) {
            return "Nothing can be recommended.";
        }
        int desired = verdict.desired().getAsInt();
        String limit = verdict.limitedBy()
                .map(factor -> switch (factor) {
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
        boolean holding = desired == fleet.working() + fleet.stuck() || verdict.status() == ScalingStatus.UNDECIDED;
        String verb = holding ? "hold " : "recommended are ";
        return ready + ": " + verb + desired + limit + ".";
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
