/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingMode;
import io.fpmplanner.core.scaling.FleetProjection.Outcome;
import io.fpmplanner.core.scaling.FleetSizing.Choice;
import io.fpmplanner.core.scaling.Outlook.Option;
import io.fpmplanner.core.scaling.Recommendation.Demand;
import io.fpmplanner.core.scaling.Recommendation.PredictedLatency;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;

/** Puts decisions of one pool into documents. Stateless. */
final class RecommendationWriter {
    private static final double SHORTEST_VALIDITY_SECONDS = 15;

    private final PoolSettings settings;
    private final double validSeconds;

    RecommendationWriter(PoolSettings settings) {
        this.settings = settings;
        this.validSeconds =
                Math.max(SHORTEST_VALIDITY_SECONDS, 3 * settings.liveness().staleAfterSeconds());
    }

    /**
     * What a document is written of.
     *
     * @param choice the size that is needed; empty if it cannot be told, or nothing is
     * @param service what a replica can do, if it is known
     * @param sizing how sizes were weighed; present if there is a choice
     */
    record Grounds(
            Situation situation,
            Optional<Choice> choice,
            Optional<CurveBuilder.Service> service,
            Optional<FleetSizing> sizing,
            double coldStartSeconds) {}

    /**
     * The document of a decision.
     *
     * @param before replicas recommended last; -1 if none were
     */
    Recommendation write(Grounds grounds, Verdict verdict, int before) {
        Situation situation = grounds.situation();
        PoolView pool = situation.pool();
        FleetTracker.Fleet fleet = situation.fleet();
        Optional<PredictedLatency> predicted = Optional.empty();
        if (situation.latency() instanceof LatencyPrediction.Predicted known) {
            double inputTokens = LatencyQuery.typical(pool).inputTokens();
            predicted = Optional.of(new PredictedLatency(known.ttft(), known.itl(), known.sloShare(), inputTokens));
        }
        Demand demand = demand(grounds);
        Optional<ReplicaCapacity> capacity = grounds.service().map(CurveBuilder.Service::capacity);
        return new Recommendation(
                settings.id(),
                settings.role(),
                verdict.status(),
                verdict.desired(),
                new Recommendation.Fleet(
                        fleet.ready() + pool.fleet().suppliedPending().orElse(0), fleet.ready(), fleet.pending()),
                verdict.reason(),
                new Wording(situation, verdict, before).sentence(demand, capacity, predicted),
                verdict.limitedBy(),
                predicted,
                outlook(grounds, verdict),
                demand,
                capacity,
                evidence(pool, situation.latency()),
                settings.scaling().mode() == ScalingMode.ADVISORY,
                pool.nowNanos(),
                pool.nowNanos() + (long) (validSeconds * 1e9));
    }

    private Demand demand(Grounds grounds) {
        Situation situation = grounds.situation();
        PoolLoad load = situation.pool().load();
        PoolLoad.Traffic traffic = load.traffic();
        DemandForecast expected = situation.expected();
        OptionalDouble requests =
                traffic.requestsPerSecond().isPresent() ? OptionalDouble.of(expected.level()) : OptionalDouble.empty();
        OptionalDouble steady = grounds.service().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(grounds.service().get().replicasFor(expected.level()));
        boolean told = load.supplied()
                .filter(known -> known.requestsPerSecond().isPresent())
                .isPresent();
        // What came while nobody was heard of is not known, and is not nothing.
        boolean unheard = !told && grounds.situation().pool().evidence() == Evidence.STALE;
        return new Demand(
                told ? traffic.prefillTokensPerSecond() : situation.level().prefillTokensPerSecond(),
                told ? traffic.decodeTokensPerSecond() : situation.level().decodeTokensPerSecond(),
                unheard ? OptionalDouble.empty() : requests,
                situation.level().standingRequests() * traffic.inputTokens().orElse(0),
                expected.growth(grounds.coldStartSeconds()),
                expected.origin(),
                expected.season()
                        .map(season -> OptionalDouble.of(season.periodSeconds()))
                        .orElse(OptionalDouble.empty()),
                unheard ? OptionalDouble.empty() : situation.isIdle() ? OptionalDouble.of(0) : steady,
                unheard ? OptionalDouble.empty() : needed(grounds),
                Double.isNaN(situation.waitingOutside())
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(situation.waitingOutside()));
    }

    private static OptionalDouble needed(Grounds grounds) {
        if (grounds.choice().isPresent()) {
            return OptionalDouble.of(grounds.choice().get().size());
        }
        return grounds.situation().isIdle() ? OptionalDouble.of(0) : OptionalDouble.empty();
    }

    /** That of the prediction; without one, a pool that knows some regimes but not all it needs is still warming. */
    private static Evidence evidence(PoolView pool, LatencyPrediction latency) {
        if (latency instanceof LatencyPrediction.Predicted known) {
            return known.evidence();
        }
        Evidence learned = pool.evidence();
        return learned == Evidence.READY || learned == Evidence.EXTRAPOLATING ? Evidence.WARMING : learned;
    }

    private Optional<Outlook> outlook(Grounds grounds, Verdict verdict) {
        if (grounds.choice().isEmpty()
                || grounds.sizing().isEmpty()
                || verdict.desired().isEmpty()) {
            return Optional.empty();
        }
        Situation situation = grounds.situation();
        Choice choice = grounds.choice().get();
        FleetProjection projection = grounds.sizing().get().projection(situation.expected(), situation.start());
        Option current = option(situation.fleet().working(), projection);
        Option desired = option(verdict.desired().getAsInt(), projection);
        int other = choice.runnerUp() == desired.replicas() ? choice.size() : choice.runnerUp();
        boolean weighed = other >= 0 && other != desired.replicas();
        Optional<Option> runnerUp = weighed ? Optional.of(option(other, projection)) : Optional.empty();
        return Optional.of(new Outlook(
                grounds.sizing().get().horizonSeconds(),
                grounds.coldStartSeconds(),
                situation.expected().requestsPerSecond(grounds.coldStartSeconds()),
                current,
                desired,
                runnerUp,
                runnerUp.map(option -> other == choice.size()
                                ? Comparison.keptBack(option)
                                : Comparison.whyNot(option, desired, settings, choice.refused()))
                        .orElse("")));
    }

    private Option option(int replicas, FleetProjection projection) {
        Outcome outcome = projection.run(replicas);
        boolean some = outcome.arrivals() > 0;
        return new Option(
                replicas,
                some ? OptionalDouble.of(Math.min(1, outcome.good() / outcome.arrivals())) : OptionalDouble.empty(),
                some && settings.role() != Role.DECODE
                        ? OptionalDouble.of(outcome.ttftSeconds())
                        : OptionalDouble.empty(),
                some && settings.role() != Role.PREFILL
                        ? OptionalDouble.of(outcome.itlSeconds())
                        : OptionalDouble.empty(),
                outcome.replicaSeconds());
    }
}
