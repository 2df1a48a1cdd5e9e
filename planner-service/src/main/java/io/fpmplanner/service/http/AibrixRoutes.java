/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code /metrics/:namespace/:pool}: what AIBrix's PodAutoscaler asks with {@code metricSourceType: domain}, its Deployment
 * named as the pool. Only where the aliases are configured.
 */
final class AibrixRoutes {
    private final PoolRoutes pools;
    private final ScalerSignals signals;

    AibrixRoutes(PoolRoutes pools, ScalerSignals signals) {
        this.pools = pools;
        this.signals = signals;
    }

    void install(Routes routes) {
        routes.get("/metrics/:namespace/:pool", this::answer);
    }

    private void answer(RoutingContext context) {
        PoolPlan plan = pools.plan()
                .pool(context.pathParam("pool"))
                .filter(pool -> pools.isShownIn(pool.id(), context.pathParam("namespace")))
                .orElseThrow(() -> Problem.of(404, "there is no such pool in that namespace"));
        Signal signal = signals.desiredReplicas(plan);
        if (signal instanceof Signal.Unknown unknown) {
            throw Problem.of(503, unknown.why());
        }
        if (signal instanceof Signal.Known known) {
            String model = plan.pool()
                    .settings()
                    .model()
                    .replace("\\", "\\\\")
                    .replace("\"", "\\\"")
                    .replace("\n", "\\n");
            Routes.send(
                    context.response(),
                    "text/plain; version=0.0.4; charset=utf-8",
                    "# HELP vllm:deployment_replicas Replicas to have.\n# TYPE vllm:deployment_replicas gauge\n"
                            + "vllm:deployment_replicas{model_name=\"" + model + "\"} " + Math.round(known.value())
                            + "\n");
        }
    }
}
