/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.source.EndpointStatus;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Handlers of {@code /v1/pools} and below. */
final class PoolRoutes {
    private final ServiceView service;
    private final LatencyPredictor predictor = new LatencyPredictor();

    PoolRoutes(ServiceView service) {
        this.service = service;
    }

    void install(Routes routes) {
        routes.get("/v1/pools", this::list);
        routes.get("/v1/pools/:pool", onePool(PoolJson::document));
        routes.get("/v1/pools/:pool/recommendation", onePool(RecommendationJson::write));
        routes.get("/v1/pools/:pool/model", onePool((plan, age) -> ModelJson.write(plan)));
        routes.get("/v1/pools/:pool/model/export", onePool((plan, age) -> ModelJson.export(plan)));
        routes.get("/v1/pools/:pool/workers", onePool((plan, age) -> workers(plan)));
        routes.postJson("/v1/pools/:pool/predictions", this::predict);
    }

    private void list(RoutingContext context) {
        PlanView plan = plan();
        double age = service.ageSeconds(plan);
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode pools = document.putArray("pools");
        plan.pools().forEach(pool -> pools.add(PoolJson.summary(pool, age)));
        Routes.send(context, document);
    }

    private io.vertx.core.Handler<RoutingContext> onePool(BiFunction<PoolPlan, Double, ObjectNode> writer) {
        return context -> {
            PlanView plan = plan();
            Routes.send(context, writer.apply(pool(plan, context.pathParam("pool")), service.ageSeconds(plan)));
        };
    }

    private ObjectNode workers(PoolPlan plan) {
        int index = poolIndex(plan.id());
        List<EndpointStatus> endpoints = service.endpoints().get().stream()
                .filter(endpoint -> endpoint.poolIndex() == index)
                .toList();
        return WorkersJson.write(plan, endpoints, service.nanoClock().getAsLong());
    }

    private int poolIndex(String id) {
        var pools = service.config().pools();
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).settings().id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    private void predict(RoutingContext context) {
        PlanView view = plan();
        PoolPlan plan = pool(view, context.pathParam("pool"));
        LatencyQuery query = PredictionRequest.parse(
                context.body().buffer() == null
                        ? new byte[0]
                        : context.body().buffer().getBytes());
        LatencyPrediction prediction = predictor.predict(plan.pool(), query);
        if (prediction instanceof LatencyPrediction.Predicted predicted) {
            ObjectNode document = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
            PredictionJson.write(document, predicted, service.ageSeconds(view));
            Routes.send(context, document);
        } else if (prediction instanceof LatencyPrediction.NotReady notReady) {
            Problem problem = Problem.of(409, notReady.detail());
            problem.members().put("pool", plan.id());
            PredictionJson.regimes(problem.members(), notReady.regimes());
            throw problem;
        } else if (prediction instanceof LatencyPrediction.NoSuchWorker missing) {
            Problem problem =
                    Problem.of(404, "pool '" + plan.id() + "' has no worker '" + missing.workerId() + "' that is live");
            problem.members().put("field", "workerId");
            throw problem;
        }
    }

    private PlanView plan() {
        return service.plan()
                .orElseThrow(() -> Problem.of(503, "the first plan is not made yet; try again in a second"));
    }

    private static PoolPlan pool(PlanView plan, String id) {
        return plan.pool(id).orElseThrow(() -> {
            String known = plan.pools().stream().map(PoolPlan::id).limit(20).collect(Collectors.joining(", "));
            return Problem.of(404, "there is no pool '" + id + "'; there are " + known);
        });
    }
}
