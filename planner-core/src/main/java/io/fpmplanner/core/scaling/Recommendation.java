/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction.SloShare;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How many replicas a pool should have, and why. Immutable.
 *
 * @param poolId the pool
 * @param role what its workers compute
 * @param status verdict on the replicas that are ready, before limits; desired may differ, see limitedBy
 * @param desired replicas to have; empty when nothing can be said, which is not 0
 * @param fleet what there is
 * @param reason why
 * @param message why, with the numbers, as a sentence for people
 * @param limitedBy what kept desired from following the need; empty when nothing did
 * @param predicted latency of a typical request at the present size; empty when it cannot be predicted
 * @param outlook what is expected of the present, the recommended and the next best size; empty when it cannot be told
 * @param demand what has to be served
 * @param capacity what one replica can serve within the objectives; empty when not known
 * @param evidence how well the step times are known
 * @param advisory whether it is advice for people that no scaler is to act upon
 * @param decidedAtNanos when this was decided, on the caller's clock
 * @param validUntilNanos when it should no longer be acted upon
 */
public record Recommendation(
        String poolId,
        Role role,
        ScalingStatus status,
        OptionalInt desired,
        Fleet fleet,
        ReasonCode reason,
        String message,
        Optional<LimitingFactor> limitedBy,
        Optional<PredictedLatency> predicted,
        Optional<Outlook> outlook,
        Demand demand,
        Optional<ReplicaCapacity> capacity,
        Evidence evidence,
        boolean advisory,
        long decidedAtNanos,
        long validUntilNanos) {

    /**
     * Replicas there are.
     *
     * @param current that are known to be there: ready, and pending where the orchestrator says so
     * @param ready that serve
     * @param pending ordered and not yet ready; without the orchestrator's word, those that our last recommendation asked
     *     for and that may still be starting
     */
    public record Fleet(int current, int ready, int pending) {}

    /**
     * Latency at the present size.
     *
     * @param ttft of a request of typical length that arrives now; other lengths do not widen it
     * @param itl time between tokens of the requests that run; empty in a PREFILL pool
     * @param sloShare share of such requests that meets the objectives; below the pool's attainment the fleet grows
     * @param inputTokens the typical length
     */
    public record PredictedLatency(
            LatencySpread ttft, Optional<LatencySpread> itl, SloShare sloShare, double inputTokens) {}

    /**
     * What the pool has to serve.
     *
     * @param prefillTokensPerSecond prompt tokens to compute, as they arrive
     * @param decodeTokensPerSecond tokens to generate
     * @param requestsPerSecond arrivals; empty when frames do not tell
     * @param backlogTokens prompt tokens (in a DECODE pool: tokens to generate) that wait
     * @param forecastFactor what arrivals are expected to be multiplied by over the cold start; below 1 only if supplied
     * @param forecastOrigin where that comes from
     * @param seasonSeconds the period after which arrivals come again, as far as can be told; empty if they do not
     * @param steadyReplicas replicas for the demand as it is, before rounding; empty when capacity is not known
     * @param neededReplicas replicas for the expected rise and the backlog too, before rounding and limits; likewise
     * @param waitingOutside requests that are said to wait in front of the pool; empty if nobody says
     */
    public record Demand(
            double prefillTokensPerSecond,
            double decodeTokensPerSecond,
            OptionalDouble requestsPerSecond,
            double backlogTokens,
            double forecastFactor,
            ForecastOrigin forecastOrigin,
            OptionalDouble seasonSeconds,
            OptionalDouble steadyReplicas,
            OptionalDouble neededReplicas,
            OptionalDouble waitingOutside) {}

    /**
     * What one replica can serve when saturated and within the objectives.
     *
     * @param batch decode requests that run at once on one rank; 0 in a PREFILL pool
     * @param prefillTokensPerSecond prompt tokens
     * @param decodeTokensPerSecond generated tokens; 0 in a PREFILL pool
     * @param requestsPerSecond requests of the present kind; empty when the lengths are not known
     * @param utilisation share of this that the fleet is sized for, 0 to 1
     * @param itlSeconds mean time between tokens at that batch; 0 in a PREFILL pool
     * @param ttftSeconds prefill time of a typical prompt at that load, without queueing; 0 in a DECODE pool
     * @param sloReachable whether a single request alone would meet the objectives
     * @param evidence how far the step times behind it may be trusted
     */
    public record ReplicaCapacity(
            double batch,
            double prefillTokensPerSecond,
            double decodeTokensPerSecond,
            OptionalDouble requestsPerSecond,
            double utilisation,
            double itlSeconds,
            double ttftSeconds,
            boolean sloReachable,
            Evidence evidence) {}
}
