/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.scaling.FleetProjection.Start;
import io.fpmplanner.core.scaling.FleetSizing.Choice;
import io.fpmplanner.core.scaling.Recommendation.Demand;
import io.fpmplanner.core.scaling.Recommendation.PredictedLatency;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many replicas one pool should have, once per tick.
 *
 * <p>Up at once, by as many as a projection over the cold start asks for. Down only after the smaller fleet sufficed for
 * the whole stabilisation time even if more came than expected, with nothing pending. Missing, stale or too little data
 * holds the present size and never shrinks it. One writer, not threadsafe; the same views in the same order give the same
 * decisions.
 */
public final class ScalingPolicy {
    private static final double SHORTEST_VALIDITY_SECONDS = 15;
    /* From so few the order of magnitude of a capacity can be told, enough to grow on. */
    private static final int FEWEST_STEPS = 8;

    /* The need is searched beyond the limit, so that it can be said that the limit binds. */
    private static final int BEYOND_LIMIT = 2;

    private static final double LEAST_CANCEL_SECONDS = 6;
    private static final double MOST_CANCEL_SECONDS = 60;

    private final PoolSettings settings;
    private final ScalingSettings scaling;
    private final DemandHistory history;
    private final FleetTracker tracker;
    private final RollingMaximum sufficed;
    private final Confirmation confirmed = new Confirmation();
    private final QueueGrowth queueing;
    private final Regret regret;
    private Optional<CurveBuilder.Service> service = Optional.empty();
    private DemandForecast arrivals = DemandForecast.NOTHING;
    private @Nullable ScalingPolicy upstream;
    private int liveBefore;
    private long fellBeforeNanos;

    public ScalingPolicy(PoolSettings settings) {
        this.settings = settings;
        this.scaling = settings.scaling();
        this.history = new DemandHistory(settings.role());
        this.tracker = new FleetTracker(settings);
        this.sufficed = new RollingMaximum(
                Regret.MOST_TIMES * Math.max(MOST_CANCEL_SECONDS, scaling.scaleDownStabilisationSeconds()));
        this.queueing = new QueueGrowth(settings.role());
        this.regret = new Regret(scaling.scaleDownStabilisationSeconds(), scaling.coldStartSeconds());
    }

    /**
     * From now on this pool, a decode pool, gets its requests from the given one, which must be asked first in each tick:
     * what arrives there comes here, whether or not that pool can take it yet.
     */
    public void follow(ScalingPolicy prefill) {
        upstream = prefill;
    }

    /**
     * Decides on the pool as it is now.
     *
     * @param pool its state; each tick's exactly once
     * @param latency what a typical request would see now
     */
    public Recommendation decide(PoolView pool, LatencyPrediction latency) {
        FleetTracker.Fleet fleet = tracker.update(pool.fleet(), pool.nowNanos());
        noteReturns(pool.fleet().live());
        if (pool.fleet().live() > 0) {
            history.add(pool.nowNanos(), pool.load(), kind(pool.load().traffic()), isSampled(pool));
        } else {
            history.clear();
        }
        boolean learned = pool.model().snapshot().evidence() == Evidence.READY;
        if (learned || stepsLearned(pool) >= FEWEST_STEPS) {
            CurveBuilder.build(pool, settings.slo().attainment()).ifPresent(known -> service = Optional.of(known));
        }
        DemandHistory.Level level = level(pool.load().traffic());
        arrivals = level.requests();
        boolean lengthKnown = pool.load().traffic().outputTokens().isPresent();
        DemandForecast ahead = upstream == null || !lengthKnown ? DemandForecast.NOTHING : upstream.arrivals;
        DemandForecast expected = ahead.level() > arrivals.level() ? ahead : arrivals;
        queueing.note(pool.nowNanos(), pool.load());
        Situation situation = new Situation(pool, fleet, level, expected.times(fleet.coverage()), latency);
        Optional<Choice> choice = situation.isIdle() ? Optional.empty() : choice(situation);
        Verdict verdict = verdict(situation, choice, learned);
        boolean supplied = pool.fleet().suppliedPending().isPresent();
        verdict.desired().ifPresent(desired -> tracker.recommended(desired, supplied, pool.nowNanos()));
        return recommendation(situation, verdict, choice, latency);
    }

    /** What is decided upon. */
    private record Situation(
            PoolView pool,
            FleetTracker.Fleet fleet,
            DemandHistory.Level level,
            DemandForecast expected,
            LatencyPrediction latency) {
        boolean waits() {
            return pool.load().queuedPrefillRequests() + pool.load().queuedDecodeRequests() > 0;
        }

        boolean missesTtft() {
            return latency instanceof LatencyPrediction.Predicted known
                    && known.sloShare().ttft() < pool.settings().slo().attainment();
        }

        boolean isIdle() {
            PoolLoad load = pool.load();
            return level.isNothing()
                    && expected.level() <= 0
                    && load.running() + load.queuedPrefillRequests() + load.queuedDecodeRequests() <= 0;
        }

        Start start() {
            double ranks = Math.max(1, pool.liveRanks().count());
            double running = pool.load().running() / ranks;
            return new Start(fleet.ready(), fleet.orders(), level.standingRequests(), running);
        }
    }

    /*
     * Workers that come back though nobody ordered them served all along, unheard: what sufficed for the rest says nothing
     * about the whole, and halving a healthy fleet after an outage of half its telemetry would be the result.
     */
    private void noteReturns(int live) {
        if (live > liveBefore && live > tracker.lastDesired(live)) {
            sufficed.clear();
            history.clear();
        }
        liveBefore = live;
    }

    private DemandHistory.Level level(PoolLoad.Traffic traffic) {
        return history.level(kind(traffic), tracker.coldStartSeconds());
    }

    private DemandHistory.Kind kind(PoolLoad.Traffic traffic) {
        double decoded = service.map(known -> known.curve().tokensPerRequest())
                .orElse(traffic.outputTokens().orElse(0));
        return new DemandHistory.Kind(traffic.inputTokens().orElse(0), decoded);
    }

    /** Whether fewer than half of the frames that live ranks published were received. */
    private static boolean isSampled(PoolView pool) {
        long received = pool.liveRanks()
                .mapToLong(rank -> rank.counters().framesReceived())
                .sum();
        long lost =
                pool.liveRanks().mapToLong(rank -> rank.counters().framesLost()).sum();
        return lost > received;
    }

    private FleetSizing sizing(ServiceCurve curve) {
        return new FleetSizing(curve, scaling, settings.slo(), tracker.coldStartSeconds());
    }

    private Optional<Choice> choice(Situation situation) {
        return service.map(known -> sizing(known.curve())
                .best(situation.expected(), situation.start(), 1, BEYOND_LIMIT * scaling.maxReplicas()));
    }

    private Verdict verdict(Situation situation, Optional<Choice> choice, boolean learned) {
        FleetTracker.Fleet fleet = situation.fleet();
        PoolView pool = situation.pool();
        int held = clamp(Math.max(fleet.working(), tracker.lastDesired(fleet.working())));
        if (!pool.fleet().everSeen()) {
            boolean supplied = pool.fleet().suppliedReady().isPresent();
            return Verdict.undecided(supplied ? OptionalInt.of(held) : OptionalInt.empty(), ReasonCode.NO_DATA);
        }
        if (fleet.live() == 0) {
            boolean someRankSpeaks = pool.liveRanks().findAny().isPresent();
            return hold(pool, held, someRankSpeaks ? ReasonCode.PARTIAL_TELEMETRY : ReasonCode.STALE_TELEMETRY);
        }
        if (!learned || (choice.isEmpty() && !situation.isIdle())) {
            return unlearned(situation, choice);
        }
        int needed = confirmed.least(pool.nowNanos(), choice.map(Choice::size).orElse(0));
        if (fleet.telemetryGap() && clamp(needed) <= held) {
            return hold(pool, held, ReasonCode.PARTIAL_TELEMETRY);
        }
        return sized(situation, choice, needed);
    }

    /*
     * Before the model is ready nothing shrinks. A fleet that plainly cannot cope grows all the same, at most twofold:
     * as a first idea of its capacity says, or in the proportion of what arrives to what is completed while prompts
     * queue up.
     */
    private Verdict unlearned(Situation situation, Optional<Choice> choice) {
        FleetTracker.Fleet fleet = situation.fleet();
        PoolView pool = situation.pool();
        int needed = Math.max(choice.map(Choice::size).orElse(0), queueing.needed(pool, fleet.ready()));
        int bounded = confirmed.least(pool.nowNanos(), Math.min(needed, 2 * Math.max(1, fleet.ready())));
        int desired = clamp(Math.max(fleet.working(), bounded));
        if (desired <= fleet.working()) {
            return hold(pool, clamp(fleet.working()), ReasonCode.MODEL_COLD);
        }
        sufficed.add(pool.nowNanos(), desired);
        return new Verdict(
                ScalingStatus.UNDER_PROVISIONED,
                OptionalInt.of(desired),
                choice.isPresent() ? ReasonCode.DEMAND_ABOVE_CAPACITY : ReasonCode.QUEUE_BACKLOG,
                Optional.of(LimitingFactor.TELEMETRY));
    }

    private static long stepsLearned(PoolView pool) {
        return pool.model().snapshot().readiness().stream()
                .mapToLong(regime -> regime.frames())
                .sum();
    }

    private Verdict hold(PoolView pool, int size, ReasonCode reason) {
        sufficed.add(pool.nowNanos(), size);
        return Verdict.undecided(OptionalInt.of(size), reason);
    }

    private Verdict sized(Situation situation, Optional<Choice> choice, int needed) {
        FleetTracker.Fleet fleet = situation.fleet();
        long nowNanos = situation.pool().nowNanos();
        int smaller = Math.max(needed, safe(situation, choice));
        noteSufficed(nowNanos, clamp(smaller));
        int working = fleet.working();
        int desired = clamp(working + fleet.stuck());
        if (clamp(needed) > working) {
            desired = clamp(needed + fleet.stuck());
            regret.grew(nowNanos, working);
        } else if (fleet.pending() == 0) {
            double hold = regret.holdSeconds(nowNanos);
            if (sufficed.covers(hold, nowNanos) && sufficed.maximum(hold, nowNanos) < working + fleet.stuck()) {
                desired = Math.min(working, sufficed.maximum(hold, nowNanos));
                regret.shrank(nowNanos, working);
            }
        } else {
            // Replicas that do not serve yet are given back sooner: nobody loses anything but the time they started.
            int kept = Math.max(fleet.ready(), sufficed.maximum(cancelSeconds(), nowNanos));
            if (kept < working) {
                desired = clamp(kept + fleet.stuck());
            }
        }
        Judgement judgement = new Judgement(scaling, fleet, needed, clamp(smaller));
        return judgement.verdict(desired, choice.map(chosen -> grounds(situation, chosen)));
    }

    private Judgement.Grounds grounds(Situation situation, Choice choice) {
        boolean reachable =
                service.map(known -> known.capacity().sloReachable()).orElse(true);
        ServiceCurve curve = service.orElseThrow().curve();
        int forNow = sizing(curve).steady(situation.expected().withoutTrend(), BEYOND_LIMIT * scaling.maxReplicas());
        return new Judgement.Grounds(forNow, choice.steady(), reachable, situation.waits(), situation.missesTtft());
    }

    private double cancelSeconds() {
        return Math.max(LEAST_CANCEL_SECONDS, tracker.coldStartSeconds() / 2);
    }

    /** A fall of arrivals is noticed some time after it happened: what suffices now has sufficed since then. */
    private void noteSufficed(long nowNanos, int smaller) {
        if (history.fellAtNanos() > fellBeforeNanos) {
            fellBeforeNanos = history.fellAtNanos();
            sufficed.restate(fellBeforeNanos, smaller);
        }
        sufficed.add(nowNanos, smaller);
    }

    /** The smallest fleet that would still do if more came than expected; the present one if that is not known. */
    private int safe(Situation situation, Optional<Choice> choice) {
        if (choice.isEmpty()) {
            return 0;
        }
        int working = Math.max(1, situation.fleet().working());
        return service.map(known -> sizing(known.curve())
                        .best(situation.expected().upper(), situation.start(), 1, working)
                        .size())
                .orElse(working);
    }

    private int clamp(int replicas) {
        return Math.max(scaling.minReplicas(), Math.min(scaling.maxReplicas(), replicas));
    }

    private Demand demand(Situation situation, Optional<Choice> choice) {
        PoolLoad.Traffic traffic = situation.pool().load().traffic();
        DemandForecast expected = situation.expected();
        OptionalDouble requests =
                traffic.requestsPerSecond().isPresent() ? OptionalDouble.of(expected.level()) : OptionalDouble.empty();
        OptionalDouble steady = service.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(service.get().replicasFor(expected.level()));
        boolean told = situation
                .pool()
                .load()
                .supplied()
                .flatMap(known -> known.requestsPerSecond().isPresent() ? Optional.of(known) : Optional.empty())
                .isPresent();
        return new Demand(
                told ? traffic.prefillTokensPerSecond() : situation.level().prefillTokensPerSecond(),
                told ? traffic.decodeTokensPerSecond() : situation.level().decodeTokensPerSecond(),
                requests,
                situation.level().standingRequests() * traffic.inputTokens().orElse(0),
                expected.growth(tracker.coldStartSeconds()),
                situation.isIdle() ? OptionalDouble.of(0) : steady,
                choice.isPresent()
                        ? OptionalDouble.of(choice.get().size())
                        : situation.isIdle() ? OptionalDouble.of(0) : OptionalDouble.empty());
    }

    /** That of the prediction; without one, a pool that knows some regimes but not all it needs is still warming. */
    private static Evidence evidence(PoolView pool, LatencyPrediction latency) {
        if (latency instanceof LatencyPrediction.Predicted known) {
            return known.evidence();
        }
        Evidence learned = pool.evidence();
        return learned == Evidence.READY || learned == Evidence.EXTRAPOLATING ? Evidence.WARMING : learned;
    }

    private Recommendation recommendation(
            Situation situation, Verdict verdict, Optional<Choice> choice, LatencyPrediction latency) {
        PoolView pool = situation.pool();
        FleetTracker.Fleet fleet = situation.fleet();
        Optional<PredictedLatency> predicted = Optional.empty();
        Evidence evidence = evidence(pool, latency);
        if (latency instanceof LatencyPrediction.Predicted known) {
            double inputTokens = LatencyQuery.typical(pool).inputTokens();
            predicted = Optional.of(new PredictedLatency(known.ttft(), known.itl(), known.sloShare(), inputTokens));
        }
        double validSeconds =
                Math.max(SHORTEST_VALIDITY_SECONDS, 3 * settings.liveness().staleAfterSeconds());
        Demand demand = demand(situation, choice);
        Optional<ReplicaCapacity> capacity = service.map(CurveBuilder.Service::capacity);
        return new Recommendation(
                settings.id(),
                settings.role(),
                verdict.status(),
                verdict.desired(),
                new Recommendation.Fleet(
                        fleet.ready() + pool.fleet().suppliedPending().orElse(0), fleet.ready(), fleet.pending()),
                verdict.reason(),
                Wording.of(pool, fleet, verdict, demand, capacity, predicted),
                verdict.limitedBy(),
                predicted,
                demand,
                capacity,
                evidence,
                pool.nowNanos(),
                pool.nowNanos() + (long) (validSeconds * 1e9));
    }
}
