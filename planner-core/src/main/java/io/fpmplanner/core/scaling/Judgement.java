/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.ScalingSettings;
import java.util.Optional;
import java.util.OptionalInt;

/** Puts a decision into a status, a reason and what limited it. One use. */
final class Judgement {
    private final ScalingSettings scaling;
    private final FleetTracker.Fleet fleet;
    private final int needed;
    private final int wanted;
    private final ScalingStatus status;

    /**
     * @param wanted replicas that look needed at this moment, before limits
     * @param needed of these, as many as were needed all through the last seconds
     * @param smaller fewest with which shrinking would be safe, within the limits
     */
    Judgement(ScalingSettings scaling, FleetTracker.Fleet fleet, int wanted, int needed, int smaller) {
        this.scaling = scaling;
        this.fleet = fleet;
        this.wanted = wanted;
        this.needed = needed;
        this.status = status(smaller);
    }

    /**
     * What the need rests on.
     *
     * @param forNow replicas for the demand as it is, in steady state
     * @param forRise replicas for the demand after a cold start, in steady state
     * @param sloReachable whether a lone request meets the objectives
     * @param waits whether any request waits
     * @param missesTtft whether a request that comes now is predicted to miss its TTFT objective
     */
    record Grounds(int forNow, int forRise, boolean sloReachable, boolean waits, boolean missesTtft) {}

    /**
     * The verdict.
     *
     * @param grounds empty if there is no traffic
     */
    Verdict verdict(int desired, Optional<Grounds> grounds) {
        ReasonCode reason = grounds.map(this::reason).orElse(ReasonCode.IDLE);
        return new Verdict(status, OptionalInt.of(desired), reason, limitedBy(desired));
    }

    private ScalingStatus status(int smaller) {
        if (Math.max(needed, scaling.minReplicas()) > fleet.ready()) {
            return ScalingStatus.UNDER_PROVISIONED;
        }
        boolean tooMany = smaller < fleet.ready() && fleet.pending() == 0;
        return tooMany ? ScalingStatus.OVER_PROVISIONED : ScalingStatus.RIGHT_SIZED;
    }

    private ReasonCode reason(Grounds grounds) {
        if (status == ScalingStatus.UNDER_PROVISIONED && needed > fleet.ready()) {
            return reasonToGrow(grounds);
        }
        if (!grounds.sloReachable()) {
            return ReasonCode.SLO_UNREACHABLE;
        }
        return status == ScalingStatus.OVER_PROVISIONED ? ReasonCode.DEMAND_BELOW_CAPACITY : ReasonCode.WITHIN_CAPACITY;
    }

    private ReasonCode reasonToGrow(Grounds grounds) {
        if (grounds.forNow() > fleet.ready()) {
            return ReasonCode.DEMAND_ABOVE_CAPACITY;
        }
        if (grounds.forRise() > fleet.ready()) {
            return ReasonCode.RISING_DEMAND;
        }
        if (grounds.missesTtft()) {
            return ReasonCode.TTFT_ABOVE_SLO;
        }
        return grounds.waits() ? ReasonCode.QUEUE_BACKLOG : ReasonCode.ITL_ABOVE_SLO;
    }

    private Optional<LimitingFactor> limitedBy(int desired) {
        return switch (status) {
            case UNDER_PROVISIONED -> limitOfGrowth(desired);
            case OVER_PROVISIONED ->
                desired >= fleet.ready() ? Optional.of(LimitingFactor.STABILISATION) : Optional.empty();
            case RIGHT_SIZED -> limitOfHolding(desired);
            case UNDECIDED -> Optional.of(LimitingFactor.TELEMETRY);
        };
    }

    private Optional<LimitingFactor> limitOfGrowth(int desired) {
        if (needed + fleet.stuck() > desired && desired == scaling.maxReplicas()) {
            return Optional.of(LimitingFactor.MAX_REPLICAS);
        }
        if (isConfirming(desired)) {
            return Optional.of(LimitingFactor.CONFIRMING);
        }
        return fleet.pending() > 0 && desired <= fleet.working()
                ? Optional.of(LimitingFactor.COLD_START)
                : Optional.empty();
    }

    private Optional<LimitingFactor> limitOfHolding(int desired) {
        if (isConfirming(desired)) {
            return Optional.of(LimitingFactor.CONFIRMING);
        }
        if (fleet.pending() > 0) {
            return Optional.of(LimitingFactor.COLD_START);
        }
        if (needed < scaling.minReplicas() && desired == scaling.minReplicas()) {
            return Optional.of(LimitingFactor.MIN_REPLICAS);
        }
        return Math.max(wanted, scaling.minReplicas()) < fleet.ready()
                ? Optional.of(LimitingFactor.UPPER_FORECAST)
                : Optional.empty();
    }

    private boolean isConfirming(int desired) {
        return wanted > needed && Math.min(wanted, scaling.maxReplicas()) + fleet.stuck() > desired;
    }
}
