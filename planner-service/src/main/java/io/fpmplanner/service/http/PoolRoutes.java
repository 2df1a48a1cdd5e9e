/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import io.fpmplanner.service.source.EndpointStatus;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Handlers of {@code /v1/pools} and below. */
final class PoolRoutes {
    private static final JsonMapper JSON = new JsonMapper();

    private final ServiceView service;
    private final ScalerSignals signals;

    PoolRoutes(ServiceView service, ScalerSignals signals) {
        this.service = service;
        this.signals = signals;
    }

    void install(Routes routes) {
        routes.get("/v1/pools", context -> {
            PlanView plan = plan();
            answer(context, plan, () -> list(plan));
        });
        routes.get("/v1/pools/:pool", onePool(PoolJson::document));
        routes.get("/v1/pools/:pool/recommendation", onePool(RecommendationJson::write));
        routes.get("/v1/pools/:pool/desired-replicas", this::desired);
        routes.get("/v1/pools/:pool/model", onePool((plan, age) -> ModelJson.write(plan)));
        routes.get("/v1/pools/:pool/model/export", onePool((plan, age) -> ModelJson.export(plan)));
        routes.get("/v1/pools/:pool/workers", this::workers);
        routes.postJson("/v1/pools/:pool/predictions", this::predict);
    }

    /** The document of all pools. */
    ObjectNode list(PlanView plan) {
        double age = service.ageSeconds(plan);
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode pools = document.putArray("pools");
        plan.pools().forEach(pool -> pools.add(PoolJson.summary(pool, age)));
        return document;
    }

    /** The document of one pool; a {@link Problem} if there is no such pool. */
    ObjectNode document(PlanView plan, String id) {
        return PoolJson.document(pool(plan, id), service.ageSeconds(plan));
    }

    private Handler<RoutingContext> onePool(BiFunction<PoolPlan, Double, ObjectNode> writer) {
        return context -> {
            PlanView plan = plan();
            PoolPlan pool = pool(plan, context.pathParam("pool"));
            answer(context, plan, () -> writer.apply(pool, service.ageSeconds(plan)));
        };
    }

    /** Answers with a document that changes with the plan only, but for ages; a client that has it already gets 304. */
    private static void answer(RoutingContext context, PlanView plan, Supplier<ObjectNode> document) {
        if (!isKnown(context, plan)) {
            Routes.send(context, document.get());
        }
    }

    /** Whether the client has the documents of this plan already, and was told so. */
    private static boolean isKnown(RoutingContext context, PlanView plan) {
        String tag = "W/\"" + Long.toString(plan.nowNanos(), Character.MAX_RADIX) + "\"";
        context.response().putHeader("ETag", tag).putHeader("Cache-Control", "no-cache");
        String known = context.request().getHeader("If-None-Match");
        boolean isKnown = known != null && (known.strip().equals("*") || known.contains(tag));
        if (isKnown) {
            context.response().setStatusCode(304).end();
        }
        return isKnown;
    }

    private void desired(RoutingContext context) {
        PoolPlan plan = pool(plan(), context.pathParam("pool"));
        Signal signal = signals.desiredReplicas(plan);
        if (signal instanceof Signal.Unknown unknown) {
            Problem problem = Problem.of(503, unknown.why());
            problem.members().put("pool", plan.id());
            throw problem;
        }
        if (signal instanceof Signal.Known known) {
            ObjectNode document = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
            document.put("desiredReplicas", Math.round(known.value()));
            Fields.number(
                    document,
                    "desiredRatio",
                    signals.desiredRatio(plan) instanceof Signal.Known ratio ? ratio.value() : Double.NaN);
            document.put("held", known.held())
                    .put("status", plan.recommendation().status().name())
                    .put("reason", plan.recommendation().reason().name());
            Fields.time(document, "validUntil", plan.recommendation().validUntilNanos());
            Routes.send(context, document);
        }
    }

    /** Thousands of ranks make megabytes: written on a worker thread. */
    private void workers(RoutingContext context) {
        PlanView plan = plan();
        PoolPlan pool = pool(plan, context.pathParam("pool"));
        if (!isKnown(context, plan)) {
            Routes.sendLarge(context, "application/json", output -> JSON.writeValue(output, workers(pool)));
        }
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
                        : context.body().buffer().getBytes(),
                plan.pool().settings().limits());
        LatencyPrediction prediction = service.predictor().predict(plan.pool(), query);
        if (prediction instanceof LatencyPrediction.Predicted predicted) {
            PredictionJson.requireNear(predicted);
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

    /** Whether a pool shows in a namespace. */
    boolean isShownIn(String id, String namespace) {
        return service.config().pools().stream()
                .filter(pool -> pool.settings().id().equals(id))
                .anyMatch(pool -> pool.namespace().isEmpty() || pool.namespace().equals(namespace));
    }

    /** The newest plan; a {@link Problem} before the first. */
    PlanView plan() {
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
