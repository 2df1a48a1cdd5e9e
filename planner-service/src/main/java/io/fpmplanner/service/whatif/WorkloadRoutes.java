/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * {@code /v1/pools/{pool}/workload}: what requests come, as inferred or as somebody says; {@code
 * /v1/pools/{pool}/observations}: what requests saw; {@code /v1/pools/{pool}/calibration}: how predictions turned out.
 */
public final class WorkloadRoutes implements RouteInstaller {
    private static final List<String> WHAT = List.of("requestsPerSecond", "inputTokens", "outputTokens", "cachedShare");
    private static final List<String> WORKLOAD =
            List.of("requestsPerSecond", "inputTokens", "outputTokens", "cachedShare", "validSeconds");
    private static final String WORKLOAD_EXAMPLE =
            "{\"requestsPerSecond\": 20, \"inputTokens\": 1000, \"outputTokens\": 200, \"validSeconds\": 60}";
    private static final List<String> OBSERVATION = List.of("ttftSeconds", "itlSeconds", "arrivedAt");
    private static final String OBSERVATIONS_EXAMPLE =
            "{\"observations\": [{\"ttftSeconds\": 0.4, \"itlSeconds\": 0.02, \"arrivedAt\": \"2026-01-01T00:00:00Z\"}]}";
    private static final int MOST_OBSERVATIONS = 1_000;
    private static final double DEFAULT_VALID_SECONDS = 60;
    private static final double LONGEST_VALID_SECONDS = 86_400;
    private static final double LONGEST_LATENCY_SECONDS = 86_400;

    private final ServiceView service;
    private final PlannerInput planner;

    public WorkloadRoutes(ServiceView service, PlannerInput planner) {
        this.service = service;
        this.planner = planner;
    }

    @Override
    public void install(Router router) {
        HttpSettings http = service.config().http();
        Routes routes = new Routes(router, http.maxBodyBytes());
        routes.resource("/v1/pools/:pool/workload", this::read, this::supply, this::withdraw);
        routes.postJson("/v1/pools/:pool/observations", this::observe);
        routes.get("/v1/pools/:pool/calibration", this::calibration);
    }

    private void read(RoutingContext context) {
        Routes.send(context, WorkloadJson.document(pool(context)));
    }

    private void supply(RoutingContext context) {
        PoolPlan pool = pool(context);
        JsonBody body = JsonBody.of(context, WORKLOAD_EXAMPLE, WORKLOAD);
        if (WHAT.stream().noneMatch(body::has)) {
            throw Problem.of(
                    400,
                    "one of " + String.join(", ", WHAT) + " is required; send an object such as " + WORKLOAD_EXAMPLE);
        }
        double valid = body.number("validSeconds", 1, LONGEST_VALID_SECONDS).orElse(DEFAULT_VALID_SECONDS);
        long until = service.nanoClock().getAsLong() + (long) (valid * 1e9);
        SuppliedWorkload workload = new SuppliedWorkload(
                body.number("requestsPerSecond", 0, Workload.MAX_REQUESTS_PER_SECOND),
                LengthsJson.read(body, "inputTokens"),
                LengthsJson.read(body, "outputTokens"),
                body.number("cachedShare", 0, Workload.MAX_CACHED_SHARE),
                until);
        if (pool.pool().settings().role() == Role.DECODE
                && workload.cachedShare().isPresent()) {
            throw Problem.field("cachedShare", "cachedShare means nothing in a decode pool, which computes no prompts");
        }
        planner.supplyWorkload(index(pool), workload);
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("pool", pool.id());
        Fields.time(answer, "validUntil", until);
        Routes.send(context, answer);
    }

    private void withdraw(RoutingContext context) {
        planner.supplyWorkload(index(pool(context)), null);
        context.response().setStatusCode(204).end();
    }

    private void observe(RoutingContext context) {
        PoolPlan pool = pool(context);
        JsonBody body = JsonBody.of(context, OBSERVATIONS_EXAMPLE, List.of("observations"));
        long now = service.nanoClock().getAsLong();
        List<LatencyObservation> observations = new ArrayList<>();
        for (JsonBody one : body.children("observations", MOST_OBSERVATIONS, OBSERVATION)) {
            OptionalDouble ttft = one.number("ttftSeconds", 1e-9, LONGEST_LATENCY_SECONDS);
            OptionalDouble itl = one.number("itlSeconds", 1e-9, LONGEST_LATENCY_SECONDS);
            if (ttft.isEmpty() && itl.isEmpty()) {
                throw one.missing("ttftSeconds");
            }
            /* It is told after its first token came. */
            long atLatest = now - (long) (1e9 * ttft.orElse(0));
            observations.add(new LatencyObservation(arrival(one, atLatest), ttft, itl));
        }
        planner.observe(index(pool), observations)
                .onSuccess(count -> Routes.send(context, WorkloadJson.observed(pool, count)))
                .onFailure(context::fail);
    }

    private static long arrival(JsonBody body, long ifNotSaid) {
        return body.text("arrivedAt")
                .map(text -> {
                    try {
                        Instant at = Instant.parse(text);
                        return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
                    } catch (DateTimeParseException | ArithmeticException e) {
                        throw body.wrong(
                                "arrivedAt",
                                new IllegalArgumentException("must be a time as in 2026-01-01T00:00:00Z, was '"
                                        + text.substring(0, Math.min(40, text.length())) + "'"));
                    }
                })
                .orElse(ifNotSaid);
    }

    private void calibration(RoutingContext context) {
        Routes.send(context, WorkloadJson.calibration(pool(context)));
    }

    private PoolPlan pool(RoutingContext context) {
        PlanView plan = service.requirePlan();
        return ServiceView.requirePool(plan, context.pathParam("pool"));
    }

    private int index(PoolPlan pool) {
        List<PoolPlan> pools = service.requirePlan().pools();
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).id().equals(pool.id())) {
                return i;
            }
        }
        throw Problem.of(404, "there is no pool '" + pool.id() + "'");
    }
}
