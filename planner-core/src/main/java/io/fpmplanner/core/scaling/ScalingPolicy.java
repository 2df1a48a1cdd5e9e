/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.scaling.Recommendation.Demand;
import io.fpmplanner.core.scaling.Recommendation.PredictedLatency;
import io.fpmplanner.core.scaling.Recommendation.ReplicaCapacity;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Decides how many replicas one pool should have, once per tick.
 *
 * <p>Up at once, by as many as needed. Down only after the smaller fleet sufficed for the whole stabilisation time, with
 * nothing pending. Missing, stale or too little data holds the present size and never shrinks it. One writer, not
 * threadsafe; the same views in the same order give the same decisions.
 */
public final class ScalingPolicy {
    /*
     * Rounding has a dead band, or a need that hovers at a whole number would order and cancel a replica for ever:
     * up only past UP_SLACK of a replica, down only if DOWN_MARGIN more than the need would still fit.
     */
    private static final double UP_SLACK = 0.05;
    private static final double DOWN_MARGIN = 1.1;
    private static final int TICKS_ABOVE_SLO = 3;
    private static final int TICKS_RISING = 3;
    private static final double SHORTEST_VALIDITY_SECONDS = 15;

    private final PoolSettings settings;
    private final ScalingSettings scaling;
    private final DemandHistory history;
    private final FleetTracker tracker;
    private final RollingMaximum sufficed;
    private Optional<ReplicaCapacity> capacity = Optional.empty();
    private int liveBefore;
    private int ticksRising;
    private int ticksTtftAbove;
    private int ticksItlAbove;

    public ScalingPolicy(PoolSettings settings) {
        this.settings = settings;
        this.scaling = settings.scaling();
        this.history = new DemandHistory(settings.role());
        this.tracker = new FleetTracker(settings);
        this.sufficed = new RollingMaximum(scaling.scaleDownStabilisationSeconds());
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
            history.add(pool.nowNanos(), pool.load());
        } else {
            history.clear();
        }
        DemandHistory.Level level = level();
        boolean learned = pool.model().snapshot().evidence() == Evidence.READY;
        if (learned) {
            CapacityModel.of(pool).ifPresent(known -> capacity = Optional.of(known));
        }
        noteLatency(pool.load(), latency);
        boolean nothing = isNothing(pool.load(), level);
        Optional<Need> need = nothing
                ? Optional.of(Need.NOTHING)
                : capacity.map(
                        known -> Need.of(level, known, scaling, settings.role()).times(fleet.coverage()));
        Verdict verdict = verdict(pool, fleet, learned ? need : Optional.empty());
        verdict.desired().ifPresent(desired -> tracker.recommended(desired, pool.nowNanos()));
        return recommendation(pool, fleet, verdict, demand(pool.load().traffic(), level, need), latency);
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

    /** The demand, with a rise only once it has been seen for some ticks: a blip must not order a replica. */
    private DemandHistory.Level level() {
        DemandHistory.Level level = history.level(scaling.coldStartSeconds());
        ticksRising = level.growth() > 1 ? ticksRising + 1 : 0;
        return ticksRising >= TICKS_RISING ? level : level.withoutGrowth();
    }

    private static boolean isNothing(PoolLoad load, DemandHistory.Level level) {
        return level.isNothing() && load.running() + load.queuedPrefillRequests() + load.queuedDecodeRequests() <= 0;
    }

    private void noteLatency(PoolLoad load, LatencyPrediction latency) {
        boolean ttftAbove = false;
        boolean itlAbove = false;
        if (latency instanceof LatencyPrediction.Predicted predicted) {
            boolean waiting = load.queuedPrefillRequests() + load.queuedDecodeRequests() > 0;
            double attainment = settings.slo().attainment();
            ttftAbove = waiting && predicted.sloShare().ttft() < attainment;
            itlAbove = load.running() > 0 && predicted.sloShare().itl().orElse(1) < attainment;
        }
        ticksTtftAbove = ttftAbove ? ticksTtftAbove + 1 : 0;
        ticksItlAbove = itlAbove ? ticksItlAbove + 1 : 0;
    }

    private Verdict verdict(PoolView pool, FleetTracker.Fleet fleet, Optional<Need> need) {
        int held = clamp(Math.max(fleet.current(), tracker.lastDesired(fleet.current())));
        if (!pool.fleet().everSeen()) {
            boolean supplied = pool.fleet().suppliedReady().isPresent();
            return Verdict.undecided(supplied ? OptionalInt.of(held) : OptionalInt.empty(), ReasonCode.NO_DATA);
        }
        if (fleet.live() == 0) {
            boolean someRankSpeaks = pool.liveRanks().findAny().isPresent();
            return hold(pool, held, someRankSpeaks ? ReasonCode.PARTIAL_TELEMETRY : ReasonCode.STALE_TELEMETRY);
        }
        if (need.isEmpty()) {
            return hold(pool, clamp(fleet.current()), ReasonCode.MODEL_COLD);
        }
        int needed = needed(fleet, need.get());
        if (fleet.telemetryGap() && clamp(needed) <= held) {
            return hold(pool, held, ReasonCode.PARTIAL_TELEMETRY);
        }
        return sized(pool, fleet, need.get(), needed);
    }

    private Verdict hold(PoolView pool, int size, ReasonCode reason) {
        sufficed.add(pool.nowNanos(), size);
        return Verdict.undecided(OptionalInt.of(size), reason);
    }

    /** Whole replicas that are needed now, one more than ready if a latency objective is being missed. */
    private int needed(FleetTracker.Fleet fleet, Need need) {
        int needed = (int) Math.ceil(Math.min(1e6, need.withBacklog() - UP_SLACK));
        if (need.withBacklog() > 0) {
            needed = Math.max(1, needed);
        }
        return missesSlo() ? Math.max(needed, fleet.ready() + 1) : needed;
    }

    private boolean missesSlo() {
        boolean reachable = capacity.map(ReplicaCapacity::sloReachable).orElse(false);
        return reachable && (ticksTtftAbove >= TICKS_ABOVE_SLO || ticksItlAbove >= TICKS_ABOVE_SLO);
    }

    private Verdict sized(PoolView pool, FleetTracker.Fleet fleet, Need need, int needed) {
        int smaller = Math.max(needed, (int) Math.ceil(Math.min(1e6, need.withBacklog() * DOWN_MARGIN)));
        sufficed.add(pool.nowNanos(), clamp(smaller));
        int current = fleet.current();
        int desired = clamp(current);
        if (clamp(needed) > current) {
            desired = clamp(needed);
        } else if (fleet.pending() == 0 && sufficed.isFull(pool.nowNanos()) && sufficed.maximum() < current) {
            desired = sufficed.maximum();
        }
        ScalingStatus status = status(fleet, needed, smaller);
        return new Verdict(
                status,
                OptionalInt.of(desired),
                reason(status, fleet, need, needed),
                limitedBy(status, fleet, desired, needed));
    }

    private ScalingStatus status(FleetTracker.Fleet fleet, int needed, int smaller) {
        if (Math.max(needed, scaling.minReplicas()) > fleet.ready()) {
            return ScalingStatus.UNDER_PROVISIONED;
        }
        boolean tooMany = clamp(smaller) < fleet.ready() && fleet.pending() == 0;
        return tooMany ? ScalingStatus.OVER_PROVISIONED : ScalingStatus.RIGHT_SIZED;
    }

    private ReasonCode reason(ScalingStatus status, FleetTracker.Fleet fleet, Need need, int needed) {
        if (need.withBacklog() <= 0) {
            return ReasonCode.IDLE;
        }
        if (status == ScalingStatus.UNDER_PROVISIONED && needed > fleet.ready()) {
            return reasonToGrow(fleet, need);
        }
        if (capacity.isPresent() && !capacity.get().sloReachable()) {
            return ReasonCode.SLO_UNREACHABLE;
        }
        return status == ScalingStatus.OVER_PROVISIONED ? ReasonCode.DEMAND_BELOW_CAPACITY : ReasonCode.WITHIN_CAPACITY;
    }

    private ReasonCode reasonToGrow(FleetTracker.Fleet fleet, Need need) {
        double room = fleet.ready() + UP_SLACK;
        if (need.steady() > room) {
            return ReasonCode.DEMAND_ABOVE_CAPACITY;
        }
        if (ticksTtftAbove >= TICKS_ABOVE_SLO && missesSlo()) {
            return ReasonCode.TTFT_ABOVE_SLO;
        }
        if (need.withTrend() > room) {
            return ReasonCode.RISING_DEMAND;
        }
        return need.withBacklog() > room ? ReasonCode.QUEUE_BACKLOG : ReasonCode.ITL_ABOVE_SLO;
    }

    private Optional<LimitingFactor> limitedBy(
            ScalingStatus status, FleetTracker.Fleet fleet, int desired, int needed) {
        return switch (status) {
            case UNDER_PROVISIONED ->
                needed > desired && desired == scaling.maxReplicas()
                        ? Optional.of(LimitingFactor.MAX_REPLICAS)
                        : fleet.pending() > 0 && desired <= fleet.current()
                                ? Optional.of(LimitingFactor.COLD_START)
                                : Optional.empty();
            case OVER_PROVISIONED ->
                desired >= fleet.ready() ? Optional.of(LimitingFactor.STABILISATION) : Optional.empty();
            case RIGHT_SIZED ->
                fleet.pending() > 0
                        ? Optional.of(LimitingFactor.COLD_START)
                        : needed < scaling.minReplicas() && desired == scaling.minReplicas()
                                ? Optional.of(LimitingFactor.MIN_REPLICAS)
                                : Optional.empty();
            case UNDECIDED -> Optional.of(LimitingFactor.TELEMETRY);
        };
    }

    private int clamp(int replicas) {
        return Math.max(scaling.minReplicas(), Math.min(scaling.maxReplicas(), replicas));
    }

    private static Demand demand(PoolLoad.Traffic traffic, DemandHistory.Level level, Optional<Need> need) {
        OptionalDouble requests = traffic.requestsPerSecond().isPresent()
                ? OptionalDouble.of(level.requestsPerSecond())
                : OptionalDouble.empty();
        return new Demand(
                level.prefillTokensPerSecond(),
                level.decodeTokensPerSecond(),
                requests,
                level.backlogTokens(),
                level.growth(),
                need.isPresent() ? OptionalDouble.of(need.get().steady()) : OptionalDouble.empty(),
                need.isPresent() ? OptionalDouble.of(need.get().withBacklog()) : OptionalDouble.empty());
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
            PoolView pool, FleetTracker.Fleet fleet, Verdict verdict, Demand demand, LatencyPrediction latency) {
        Optional<PredictedLatency> predicted = Optional.empty();
        Evidence evidence = evidence(pool, latency);
        if (latency instanceof LatencyPrediction.Predicted known) {
            double inputTokens = LatencyQuery.typical(pool).inputTokens();
            predicted = Optional.of(new PredictedLatency(known.ttft(), known.itl(), known.sloShare(), inputTokens));
        }
        double validSeconds =
                Math.max(SHORTEST_VALIDITY_SECONDS, 3 * settings.liveness().staleAfterSeconds());
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
