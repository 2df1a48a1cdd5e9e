/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.latency.LatencyPrediction.SloShare;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.scaling.Recommendation;
import java.util.Optional;

/** Figures that follow from a plan; NaN where it does not tell them. */
public final class PoolFigures {
    private PoolFigures() {}

    /** Share of typical requests that meets each objective that applies, the smaller one; 0 to 1. */
    public static double sloAttainment(PoolPlan plan) {
        return plan.recommendation()
                .predicted()
                .map(Recommendation.PredictedLatency::sloShare)
                .map(PoolFigures::smaller)
                .orElse(Double.NaN);
    }

    private static double smaller(SloShare share) {
        return Math.min(share.ttft(), share.itl().orElse(1));
    }

    /**
     * Seconds the ready replicas need to work off what waits, at the rate they can serve within the objectives: prompt tokens
     * to compute, in a decode pool tokens to generate.
     */
    public static double backlogSeconds(PoolPlan plan) {
        if (!Known.load(plan.pool())) {
            return Double.NaN;
        }
        Recommendation recommendation = plan.recommendation();
        double tokens = recommendation.demand().backlogTokens();
        if (tokens == 0) {
            return 0;
        }
        Optional<Recommendation.ReplicaCapacity> capacity = recommendation.capacity();
        double perReplica = capacity.isEmpty()
                ? 0
                : recommendation.role() == Role.DECODE
                        ? capacity.get().decodeTokensPerSecond()
                        : capacity.get().prefillTokensPerSecond();
        double perSecond = perReplica * recommendation.fleet().ready();
        return perSecond > 0 ? tokens / perSecond : Double.NaN;
    }
}
