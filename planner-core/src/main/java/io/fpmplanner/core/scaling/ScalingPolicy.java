/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.scaling.FleetSizing.Choice;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many replicas one pool should have, once per tick: first what it asks for, then, when it is known what it
 * gets of what pools share, what is recommended.
 *
 * <p>Up at once, by as many as a projection over the cold start asks for. Down only after the smaller fleet sufficed for
 * the whole stabilisation time even if more came than expected, with nothing pending. Missing, stale or too little data
 * holds the present size and never shrinks it. One writer, not threadsafe; the same views in the same order give the same
 * decisions.
 */
final class ScalingPolicy {
    /* The need is searched beyond the limit, so that it can be said that the limit binds. */
    private static final int BEYOND_LIMIT = 2;

    private static final double LEAST_CANCEL_SECONDS = 6;
    private static final double MOST_CANCEL_SECONDS = 60;

    private final PoolSettings settings;
    private final ScalingSettings scaling;
    private final DemandReader demand;
    private final FleetTracker tracker;
    private final RollingMaximum sufficed;
    private final Confirmation confirmed = new Confirmation();
    private final Regret regret;
    private final Restraint restraint;
    private final RecommendationWriter writer;
    private final RestartDoubt restarts;
    private int liveBefore;
    private long fellBeforeNanos;
    private @Nullable ScalingPolicy upstream;
    private double waitingOutside = Double.NaN;
    private long waitingUntilNanos;

    ScalingPolicy(PoolSettings settings) {
        this.settings = settings;
        this.scaling = settings.scaling();
        this.demand = new DemandReader(settings);
        this.tracker = new FleetTracker(settings);
        this.sufficed = new RollingMaximum(
                Regret.MOST_TIMES * Math.max(MOST_CANCEL_SECONDS, scaling.scaleDownStabilisationSeconds()));
        this.regret = new Regret(scaling.scaleDownStabilisationSeconds(), scaling.coldStartSeconds());
        this.restarts = new RestartDoubt(scaling.scaleDownStabilisationSeconds());
        this.restraint = new Restraint(scaling);
        this.writer = new RecommendationWriter(settings);
    }

    PoolSettings settings() {
        return settings;
    }

    /**
     * From now on this pool, a decode pool, gets its requests from the given one, which must be asked first in each tick:
     * what arrives there comes here, whether or not that pool can take it yet.
     */
    void follow(ScalingPolicy prefill) {
        demand.follow(prefill.demand);
        upstream = prefill;
    }

    /** Whether requests come or wait in front. */
    private boolean hasRequests(long nowNanos) {
        return demand.expected().expectsSome() || (nowNanos <= waitingUntilNanos && waitingOutside > 0);
    }

    /** Says what is expected to come; null to withdraw it. */
    void supplyForecast(@Nullable SuppliedForecast forecast) {
        demand.supply(forecast);
    }

    /** Says how many requests wait in front of the pool, until the given moment. */
    void supplyQueue(double requests, long validUntilNanos) {
        waitingOutside = requests;
        waitingUntilNanos = validUntilNanos;
    }

    /**
     * What a pool asks for.
     *
     * @param verdict within its own limits
     * @param replicaRate requests/s that one replica is sized for; 0 if not known
     */
    record Proposal(RecommendationWriter.Grounds grounds, Verdict verdict, double replicaRate) {
        /** Replicas ordered so far. */
        int ordered() {
            FleetTracker.Fleet fleet = grounds.situation().fleet();
            return fleet.working() + fleet.stuck();
        }

        Proposal with(Verdict other) {
            return new Proposal(grounds, other, replicaRate);
        }
    }

    /**
     * What the pool asks for as it is now.
     *
     * @param pool its state; each tick's exactly once
     * @param latency what a typical request would see now
     */
    Proposal propose(PoolView pool, LatencyPrediction latency) {
        FleetTracker.Fleet fleet = tracker.update(pool.fleet(), pool.nowNanos());
        noteReturns(pool.fleet().live());
        if (restarts.isRaisedBy(pool)) {
            // Until that ends no size has sufficed.
            sufficed.clear();
        }
        demand.read(pool, tracker.coldStartSeconds());
        DemandHistory.Level level = demand.level(pool.load(), tracker.coldStartSeconds());
        demand.look(pool.nowNanos(), tracker.coldStartSeconds());
        DemandForecast expected = demand.expected().times(fleet.coverage());
        double outside = pool.nowNanos() <= waitingUntilNanos ? waitingOutside : Double.NaN;
        Situation situation = new Situation(pool, fleet, level, expected, latency, outside);
        Optional<FleetSizing> sizing = demand.service()
                .map(known -> new FleetSizing(known.curve(), scaling, settings.slo(), tracker.coldStartSeconds()));
        Optional<Choice> choice = situation.isIdle()
                ? Optional.empty()
                : sizing.map(known ->
                        known.best(situation.expected(), situation.start(), 1, BEYOND_LIMIT * scaling.maxReplicas()));
        Verdict verdict = verdict(situation, sizing, choice);
        RecommendationWriter.Grounds grounds = new RecommendationWriter.Grounds(
                situation, choice, demand.service(), sizing, tracker.coldStartSeconds());
        Verdict restrained = restraint.apply(verdict, fleet.working() + fleet.stuck(), pool.nowNanos());
        double rate =
                demand.service().map(CurveBuilder.Service::requestsPerSecond).orElse(0.0);
        return new Proposal(grounds, restrained, rate);
    }

    /** What should outlive a restart. */
    FleetMemory memory() {
        return tracker.memory(regret.memory()).with(demand.memory());
    }

    /**
     * Goes on from before a restart; to be called before the first decision. It can make a fleet keep its size, never
     * shrink: what sufficed must be seen anew for the whole stabilisation time.
     *
     * @param isFleetKnown whether it is young enough to tell what is ordered and there
     */
    void restore(FleetMemory memory, boolean isFleetKnown) {
        tracker.restore(isFleetKnown ? memory : memory.withoutFleet());
        regret.restore(memory.regret());
        demand.restore(memory.arrivals());
    }

    /** Recommends what a proposal came to. */
    Recommendation settle(Proposal proposal) {
        PoolView pool = proposal.grounds().situation().pool();
        Verdict verdict = proposal.verdict();
        int before = tracker.lastDesired(-1);
        verdict.desired().ifPresent(desired -> tracker.recommended(desired, pool.fleet(), pool.nowNanos()));
        restraint.recommended(verdict.desired(), pool.nowNanos());
        return writer.write(proposal.grounds(), verdict, before);
    }

    /*
     * Workers that come back though nobody ordered them served all along, unheard: what sufficed for the rest says nothing
     * about the whole, and halving a healthy fleet after an outage of half its telemetry would be the result.
     */
    private void noteReturns(int live) {
        if (live > liveBefore && live > tracker.lastDesired(live)) {
            sufficed.clear();
            demand.forget();
        }
        liveBefore = live;
    }

    private Verdict verdict(Situation situation, Optional<FleetSizing> sizing, Optional<Choice> choice) {
        FleetTracker.Fleet fleet = situation.fleet();
        PoolView pool = situation.pool();
        int held = clamp(Math.max(fleet.working(), tracker.lastDesired(fleet.working())));
        if (fleet.ready() == 0 && fleet.live() == 0 && isEmptyOnPurpose(pool)) {
            return atZero(situation, choice, held);
        }
        if (!pool.fleet().everSeen()) {
            // After a restart what was recommended before still holds: nothing was heard that speaks against it.
            boolean known = pool.fleet().suppliedReady().isPresent() || tracker.lastDesired(-1) >= 0;
            return Verdict.undecided(known ? OptionalInt.of(held) : OptionalInt.empty(), ReasonCode.NO_DATA);
        }
        if (fleet.live() == 0) {
            boolean someRankSpeaks = pool.liveRanks().findAny().isPresent();
            return hold(pool, held, someRankSpeaks ? ReasonCode.PARTIAL_TELEMETRY : ReasonCode.STALE_TELEMETRY);
        }
        if (!demand.learned() || (choice.isEmpty() && !situation.isIdle())) {
            return unlearned(situation, choice, fleet.telemetryGap() ? held : fleet.working());
        }
        int needed = confirmed.least(pool.nowNanos(), choice.map(Choice::size).orElse(0), lookSeconds(situation));
        if (fleet.telemetryGap() && clamp(needed) <= held) {
            return hold(pool, held, ReasonCode.PARTIAL_TELEMETRY);
        }
        return sized(situation, sizing, choice, needed);
    }

    /** What a need must last longer for: a second look at a sample, unless more wait than any fluctuation explains. */
    private double lookSeconds(Situation situation) {
        boolean queued = situation.waiting()
                > QueueGrowth.FEW * Math.max(1, situation.fleet().ready());
        return queued ? 0 : demand.lookSeconds();
    }

    /** Whether no replica is there because none was to be: then silence says nothing of lost telemetry. */
    private boolean isEmptyOnPurpose(PoolView pool) {
        return scaling.minReplicas() == 0
                && (pool.fleet().suppliedReady().orElse(-1) == 0 || tracker.lastDesired(-1) == 0);
    }

    /* Nobody is there to be heard of: only those who hold the requests back can tell whether there are any. */
    private Verdict atZero(Situation situation, Optional<Choice> choice, int held) {
        ScalingPolicy before = upstream;
        if (situation.waitingOutside() > 0
                || situation.expected().expectsSome()
                || (before != null && before.hasRequests(situation.pool().nowNanos()))) {
            int desired =
                    clamp(Math.max(held, Math.max(1, choice.map(Choice::size).orElse(1))));
            sufficed.add(situation.pool().nowNanos(), desired);
            return new Verdict(
                    ScalingStatus.UNDER_PROVISIONED,
                    OptionalInt.of(desired),
                    ReasonCode.REQUESTS_AT_ZERO,
                    situation.fleet().pending() > 0 ? Optional.of(LimitingFactor.COLD_START) : Optional.empty());
        }
        boolean told = situation.waitingOutside() == 0
                || situation
                        .pool()
                        .load()
                        .supplied()
                        .map(known -> known.requestsPerSecond().isPresent())
                        .orElse(false);
        if (!told) {
            return hold(situation.pool(), held, ReasonCode.NO_DATA);
        }
        sufficed.add(situation.pool().nowNanos(), 0);
        return new Verdict(ScalingStatus.RIGHT_SIZED, OptionalInt.of(clamp(0)), ReasonCode.IDLE, Optional.empty());
    }

    /*
     * Before the model is ready nothing shrinks. A fleet that plainly cannot cope grows all the same, at most twofold or,
     * with some more steps seen, fourfold:
     * as a first idea of its capacity says, or in the proportion of what arrives to what is completed while prompts
     * queue up. Replicas that should be there and are not heard of are counted in.
     */
    private Verdict unlearned(Situation situation, Optional<Choice> choice, int present) {
        FleetTracker.Fleet fleet = situation.fleet();
        PoolView pool = situation.pool();
        int byCapacity = choice.map(Choice::size).orElse(0);
        int byPace = demand.neededByPace(fleet.ready());
        int needed = Math.max(Math.max(byCapacity, byPace), demand.neededByQueue(pool, fleet.ready()));
        int bounded = confirmed.least(
                pool.nowNanos(), Math.min(needed, demand.trustedGrowth() * Math.max(1, fleet.ready())), 0);
        int desired = clamp(Math.max(present, bounded));
        if (desired <= present) {
            return hold(pool, clamp(present), ReasonCode.MODEL_COLD);
        }
        sufficed.add(pool.nowNanos(), desired);
        return new Verdict(
                ScalingStatus.UNDER_PROVISIONED,
                OptionalInt.of(desired),
                byCapacity >= desired
                        ? ReasonCode.DEMAND_ABOVE_CAPACITY
                        : byPace >= desired ? ReasonCode.ITL_ABOVE_SLO : ReasonCode.QUEUE_BACKLOG,
                Optional.of(LimitingFactor.TELEMETRY));
    }

    private Verdict hold(PoolView pool, int size, ReasonCode reason) {
        sufficed.add(pool.nowNanos(), size);
        return Verdict.undecided(OptionalInt.of(size), reason);
    }

    private Verdict sized(Situation situation, Optional<FleetSizing> sizing, Optional<Choice> choice, int needed) {
        FleetTracker.Fleet fleet = situation.fleet();
        long nowNanos = situation.pool().nowNanos();
        int smaller = Math.max(needed, safe(situation, sizing, choice));
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
        int wanted = choice.map(Choice::size).orElse(0);
        Judgement judgement = new Judgement(scaling, fleet, wanted, needed, clamp(smaller));
        return judgement.verdict(desired, choice.map(chosen -> grounds(situation, sizing.orElseThrow(), chosen)));
    }

    private Judgement.Grounds grounds(Situation situation, FleetSizing sizing, Choice choice) {
        boolean reachable =
                demand.service().map(known -> known.capacity().sloReachable()).orElse(true);
        int forNow = sizing.steady(situation.expected().withoutTrend(), BEYOND_LIMIT * scaling.maxReplicas());
        return new Judgement.Grounds(forNow, choice.steady(), reachable, situation.waits(), situation.missesTtft());
    }

    private double cancelSeconds() {
        return Math.max(LEAST_CANCEL_SECONDS, tracker.coldStartSeconds() / 2);
    }

    /** A fall of arrivals is noticed some time after it happened: what suffices now has sufficed since then. */
    private void noteSufficed(long nowNanos, int smaller) {
        if (demand.fellAtNanos() > fellBeforeNanos) {
            fellBeforeNanos = demand.fellAtNanos();
            sufficed.restate(fellBeforeNanos, smaller);
        }
        sufficed.add(nowNanos, smaller);
    }

    /** The smallest fleet that would still do if more came than expected; the present one if that is not known. */
    private int safe(Situation situation, Optional<FleetSizing> sizing, Optional<Choice> choice) {
        if (choice.isEmpty()) {
            return 0;
        }
        int working = Math.max(1, situation.fleet().working());
        return sizing.map(known -> known.best(situation.expected().upper(), situation.start(), 1, working)
                        .size())
                .orElse(working);
    }

    private int clamp(int replicas) {
        return Math.max(scaling.minReplicas(), Math.min(scaling.maxReplicas(), replicas));
    }
}
