/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.llmd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.whatif.PlannerInput;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What llm-d's endpoint picker asks its latency predictor, below {@code /v1/pools/{pool}/llm-d}. Used by one event loop.
 *
 * <p>Predictions are of the 90th percentile. Training data is not needed, since step times come from frames: it is taken, and
 * scored as what requests were measured to see.
 */
public final class LatencyPredictorRoutes implements RouteInstaller {
    /** Longer times are taken for a mistake of units. */
    private static final double MOST_SECONDS = 86_400;

    private static final String BASE = "/v1/pools/:pool/llm-d";
    private static final int MOST_REQUESTS = 10_000;
    /** Some hundred requests: a few milliseconds. */
    private static final int MOST_BYTES_ON_THE_LOOP = 32_768;

    private static final int LEAST_BODY_BYTES = 4 << 20;
    private static final JsonMapper JSON = new JsonMapper();

    private final ServiceView service;
    private final PlannerInput planner;

    /** Predicts from what may be read, and tells the planner what was measured. */
    public LatencyPredictorRoutes(ServiceView service, PlannerInput planner) {
        this.service = service;
        this.planner = planner;
    }

    @Override
    public void install(Router router) {
        Routes routes = new Routes(
                router, Math.max(LEAST_BODY_BYTES, service.config().http().maxBodyBytes()));
        routes.get(BASE + "/status", context -> Routes.send(context, status(pool(context))));
        routes.get(BASE + "/readyz", context -> Routes.send(context, status(requireLearned(pool(context)))));
        routes.get(BASE + "/model/download/info", context -> Routes.send(context, status(pool(context))));
        routes.postJson(BASE + "/predict", this::predict);
        routes.postJson(BASE + "/predict/bulk", context -> bulk(context, false));
        routes.postJson(BASE + "/predict/bulk/strict", context -> bulk(context, true));
        routes.postJson(BASE + "/add_training_data_bulk", this::train);
    }

    private PoolView pool(RoutingContext context) {
        return ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"))
                .pool();
    }

    private static PoolView requireLearned(PoolView pool) {
        if (pool.model().snapshot().evidence() == Evidence.COLD) {
            throw Problem.of(503, "no step of pool " + pool.settings().id() + " was learned from yet");
        }
        return pool;
    }

    private static ObjectNode status(PoolView pool) {
        boolean ready = pool.model().snapshot().evidence() != Evidence.COLD;
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("is_ready", ready);
        kind(document);
        document.put("last_model_load", ready ? time(pool.nowNanos()) : null).put("training_server_url", "");
        document.putObject("models_exist").put("ttft_model", ready).put("tpot_model", ready);
        return document.put("ensemble_active", false);
    }

    /** xgboost stands for "ask over HTTP": with bayesian_ridge the picker would compute by coefficients of its own. */
    private static void kind(ObjectNode node) {
        node.put("model_type", "xgboost").put("objective_type", "quantile").put("quantile", PodLatency.QUANTILE);
    }

    private static String time(long nanos) {
        return Instant.ofEpochMilli(nanos / 1_000_000).toString();
    }

    private void predict(RoutingContext context) {
        Answers answers = new Answers(context);
        try {
            Routes.send(context, answers.to(body(context)));
        } catch (TooFarException e) {
            throw Problem.tooFar(e.factor());
        } catch (IllegalArgumentException e) {
            throw Problem.of(400, String.valueOf(e.getMessage()));
        }
    }

    /** Many requests take tens of milliseconds: they are read and answered on a worker thread. */
    private void bulk(RoutingContext context, boolean strict) {
        Answers answers = new Answers(context);
        Buffer body = context.body().buffer();
        if (body == null || body.length() <= MOST_BYTES_ON_THE_LOOP) {
            Routes.send(context, bulk(answers, body, strict));
            return;
        }
        context.vertx()
                .executeBlocking(() -> bulk(answers, body, strict), false)
                .onSuccess(document -> Routes.send(context, document))
                .onFailure(context::fail);
    }

    private static ObjectNode bulk(Answers answers, @Nullable Buffer body, boolean strict) {
        long startNanos = System.nanoTime();
        JsonNode requests = list(body(body), "requests");
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode predictions = document.putArray("predictions");
        ArrayNode errors = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < requests.size(); i++) {
            try {
                predictions.add(answers.to(requests.get(i)));
            } catch (IllegalArgumentException e) {
                if (strict) {
                    throw Problem.of(400, "requests[" + i + "]: " + e.getMessage());
                }
                predictions.addNull();
                errors.addObject().put("index", i).put("error", e.getMessage()).set("request", requests.get(i));
            }
        }
        if (!strict) {
            document.set("errors", errors);
        }
        document.put("total_requests", requests.size())
                .put("successful_predictions", requests.size() - errors.size())
                .put("failed_predictions", errors.size())
                .put("processing_time_ms", (System.nanoTime() - startNanos) / 1e6);
        return document;
    }

    /** Answers to requests that came together, from one plan. */
    private final class Answers {
        private final PlanView plan = service.requirePlan();
        private final PoolPlan named;
        private final PodLatency latency;
        private final String predictedAt = time(service.nanoClock().getAsLong());

        Answers(RoutingContext context) {
            named = ServiceView.requirePool(plan, context.pathParam("pool"));
            latency = new PodLatency(requireLearned(named.pool()));
        }

        ObjectNode to(JsonNode request) {
            PodState pod = PodState.read(request);
            latency.requireKnown(pod);
            ObjectNode node = JsonNodeFactory.instance
                    .objectNode()
                    .put("ttft_ms", 1e3 * latency.ttftSeconds(pod))
                    .put("tpot_ms", pod.podType().equals("prefill") ? 0 : 1e3 * latency.itlSeconds(pod))
                    .put("predicted_at", predictedAt);
            kind(node);
            return node.put("last_model_load", time(plan.nowNanos()));
        }
    }

    private void train(RoutingContext context) {
        int index = index(pool(context).settings().id());
        JsonNode entries = list(body(context), "entries");
        List<LatencyObservation> observations = new ArrayList<>();
        long nowNanos = service.nanoClock().getAsLong();
        for (JsonNode entry : entries) {
            OptionalDouble ttft = seconds(entry, "actual_ttft_ms");
            OptionalDouble itl = seconds(entry, "actual_tpot_ms");
            if (ttft.isPresent() || itl.isPresent()) {
                observations.add(new LatencyObservation(nowNanos - (long) (1e9 * ttft.orElse(0)), ttft, itl));
            }
        }
        planner.observe(index, observations);
        context.response().setStatusCode(202);
        Routes.send(
                context,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("message", "Accepted " + entries.size() + " training samples."));
    }

    private static OptionalDouble seconds(JsonNode entry, String field) {
        double value = entry.path(field).asDouble(0) / 1e3;
        return value > 0 && value <= MOST_SECONDS ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    private int index(String id) {
        var pools = service.config().pools();
        int index = 0;
        while (!pools.get(index).settings().id().equals(id)) {
            index++;
        }
        return index;
    }

    private static JsonNode list(JsonNode body, String field) {
        JsonNode list = body.path(field);
        if (!list.isArray() || list.isEmpty() || list.size() > MOST_REQUESTS) {
            throw Problem.field(field, field + " must be a list of 1 to " + MOST_REQUESTS + " objects");
        }
        return list;
    }

    private static JsonNode body(RoutingContext context) {
        return body(context.body().buffer());
    }

    private static JsonNode body(@Nullable Buffer body) {
        try {
            return JSON.readTree(body == null ? new byte[0] : body.getBytes());
        } catch (IOException e) {
            throw Problem.of(400, "the body is not JSON");
        }
    }
}
