/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.Recommendation;
import io.prometheus.metrics.model.snapshots.Labels;

/**
 * The gauges of NVIDIA Dynamo's planner (its documentation, section on metrics), by model. Pools of a model and role are
 * joined: replicas and rates by their sum, latencies by the longest, as Dynamo does over engines. An aggregated pool counts as
 * decode, as in its agg mode. Dynamo's latencies are milliseconds.
 */
final class DynamoAliases {
    private static final String PREFIX = "dynamo_planner_";
    private static final double MILLIS = 1000;

    private DynamoAliases() {}

    static void add(AliasCollector.Points points, PoolPlan plan) {
        Labels labels = Labels.of("model_name", plan.pool().settings().model());
        Recommendation recommendation = plan.recommendation();
        String role = recommendation.role() == Role.PREFILL ? "prefill" : "decode";
        if (Known.replicas(plan.pool())) {
            points.merge(
                    PREFIX + "num_" + role + "_replicas",
                    "Replicas that are ready.",
                    labels,
                    recommendation.fleet().ready(),
                    Double::sum);
        }
        points.merge(
                PREFIX + "predicted_num_" + role + "_replicas",
                "Replicas to have.",
                labels,
                recommendation.desired().isPresent() ? recommendation.desired().getAsInt() : Double.NaN,
                Double::sum);
        recommendation
                .capacity()
                .ifPresent(capacity -> points.merge(
                        PREFIX + "engine_" + role + "_capacity_requests_per_second",
                        "Requests that one engine can serve within the objectives.",
                        labels,
                        capacity.requestsPerSecond().orElse(Double.NaN),
                        Math::max));
        latencies(points, labels, plan);
        if (Known.load(plan.pool())) {
            traffic(points, labels, plan.pool().load().traffic());
        }
    }

    private static void latencies(AliasCollector.Points points, Labels labels, PoolPlan plan) {
        SloTarget slo = plan.pool().settings().slo();
        points.merge(PREFIX + "sla_target_ttft_ms", "Objective.", labels, slo.ttftSeconds() * MILLIS, Math::max);
        points.merge(PREFIX + "sla_target_itl_ms", "Objective.", labels, slo.itlSeconds() * MILLIS, Math::max);
        plan.recommendation().predicted().ifPresent(predicted -> {
            if (plan.recommendation().role() != Role.DECODE) {
                points.merge(
                        PREFIX + "estimated_ttft_ms",
                        "Predicted mean time to first token.",
                        labels,
                        predicted.ttft().meanSeconds() * MILLIS,
                        Math::max);
            }
            predicted
                    .itl()
                    .ifPresent(itl -> points.merge(
                            PREFIX + "estimated_itl_ms",
                            "Predicted mean time between tokens.",
                            labels,
                            itl.meanSeconds() * MILLIS,
                            Math::max));
        });
    }

    private static void traffic(AliasCollector.Points points, Labels labels, PoolLoad.Traffic traffic) {
        points.merge(
                PREFIX + "observed_requests_per_second",
                "Arrivals, as the frames tell.",
                labels,
                traffic.requestsPerSecond().orElse(Double.NaN),
                Math::max);
        points.merge(
                PREFIX + "observed_input_sequence_tokens",
                "Mean prompt length computed.",
                labels,
                traffic.inputTokens().orElse(Double.NaN),
                Math::max);
        points.merge(
                PREFIX + "observed_output_sequence_tokens",
                "Mean tokens generated for a request.",
                labels,
                traffic.outputTokens().orElse(Double.NaN),
                Math::max);
    }
}
