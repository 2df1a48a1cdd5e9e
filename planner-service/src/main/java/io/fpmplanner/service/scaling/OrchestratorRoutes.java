/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.DecisionLog;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code /v1/pools/{pool}/fleet}: the replicas that an orchestrator knows of; {@code /v1/pools/{pool}/queue}: requests that
 * wait in front of a pool; {@code /v1/pools/{pool}/decisions}: the log of decisions.
 */
public final class OrchestratorRoutes implements RouteInstaller {
    private static final List<String> FLEET = List.of("ready", "pending", "desired", "validSeconds");
    private static final String FLEET_EXAMPLE = "{\"ready\": 3, \"pending\": 1, \"desired\": 4, \"validSeconds\": 60}";
    private static final List<String> QUEUE = List.of("requests", "validSeconds");
    private static final String QUEUE_EXAMPLE = "{\"requests\": 2, \"validSeconds\": 15}";
    private static final int MOST_REPLICAS = 100_000;
    private static final double MOST_REQUESTS = 1e9;
    private static final double DEFAULT_VALID_SECONDS = 60;
    private static final double LONGEST_VALID_SECONDS = 86_400;

    private final ServiceView service;
    private final OrchestratorInput planner;
    private final NewWord<SuppliedFleet> newFleets = new NewWord<>();
    private final NewWord<Double> newQueues = new NewWord<>();

    public OrchestratorRoutes(ServiceView service, OrchestratorInput planner) {
        this.service = service;
        this.planner = planner;
    }

    @Override
    public void install(Router router) {
        HttpSettings http = service.config().http();
        Routes routes = new Routes(router, http.maxBodyBytes());
        routes.resource("/v1/pools/:pool/fleet", this::fleet, this::supplyFleet, this::withdrawFleet);
        routes.resource("/v1/pools/:pool/queue", this::queue, this::supplyQueue, this::withdrawQueue);
        routes.get("/v1/pools/:pool/decisions", this::decisions);
    }

    private void fleet(RoutingContext context) {
        PlanView view = service.requirePlan();
        PoolPlan plan = pool(context);
        FleetView planned = plan.pool().fleet();
        Optional<NewWord.Said<SuppliedFleet>> word = newFleets.after(view, plan.id());
        OptionalInt ready = planned.suppliedReady();
        OptionalInt pending = planned.suppliedPending();
        OptionalInt desired = planned.suppliedDesired();
        if (word.isPresent()) {
            Optional<SuppliedFleet> said = word.get().what();
            ready = said.map(fleet -> OptionalInt.of(fleet.ready())).orElse(OptionalInt.empty());
            pending = said.map(SuppliedFleet::pending).orElse(OptionalInt.empty());
            desired = said.map(SuppliedFleet::desired).orElse(OptionalInt.empty());
        }
        OptionalInt recommended = plan.recommendation().desired();
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        answer.put("supplied", ready.isPresent()).put("inPlan", word.isEmpty());
        Fields.number(answer, "ready", ready);
        Fields.number(answer, "pending", pending);
        Fields.number(answer, "desired", desired);
        Fields.number(answer, "recommended", recommended);
        if (desired.isPresent() && recommended.isPresent()) {
            answer.put("followed", desired.equals(recommended));
        } else {
            answer.putNull("followed");
        }
        Routes.send(context, answer);
    }

    private void supplyFleet(RoutingContext context) {
        PoolPlan plan = pool(context);
        JsonBody body = JsonBody.of(context, FLEET_EXAMPLE, FLEET);
        int ready = count(body, "ready").orElseThrow(() -> body.missing("ready"));
        long until = until(body);
        SuppliedFleet fleet = new SuppliedFleet(ready, count(body, "pending"), count(body, "desired"), until);
        planner.supplyFleet(service.index(plan), fleet);
        newFleets.said(plan.id(), new NewWord.Said<>(Optional.of(fleet), nowNanos()));
        answer(context, plan, until);
    }

    private static OptionalInt count(JsonBody body, String name) {
        OptionalLong value = body.whole(name, 0, MOST_REPLICAS);
        return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }

    private void withdrawFleet(RoutingContext context) {
        PoolPlan plan = pool(context);
        planner.supplyFleet(service.index(plan), null);
        newFleets.said(plan.id(), new NewWord.Said<>(Optional.empty(), nowNanos()));
        context.response().setStatusCode(204).end();
    }

    private void queue(RoutingContext context) {
        PlanView view = service.requirePlan();
        PoolPlan plan = pool(context);
        Optional<NewWord.Said<Double>> word = newQueues.after(view, plan.id());
        OptionalDouble requests = plan.recommendation().demand().waitingOutside();
        if (word.isPresent()) {
            requests = word.get().what().map(OptionalDouble::of).orElse(OptionalDouble.empty());
        }
        ObjectNode answer =
                JsonNodeFactory.instance.objectNode().put("pool", plan.id()).put("inPlan", word.isEmpty());
        Fields.number(answer, "requests", requests);
        Routes.send(context, answer);
    }

    private void supplyQueue(RoutingContext context) {
        PoolPlan plan = pool(context);
        JsonBody body = JsonBody.of(context, QUEUE_EXAMPLE, QUEUE);
        OptionalDouble requests = body.number("requests", 0, MOST_REQUESTS);
        if (requests.isEmpty()) {
            throw body.missing("requests");
        }
        long until = until(body);
        planner.supplyQueue(service.index(plan), requests.getAsDouble(), until);
        newQueues.said(plan.id(), new NewWord.Said<>(Optional.of(requests.getAsDouble()), nowNanos()));
        answer(context, plan, until);
    }

    private void withdrawQueue(RoutingContext context) {
        PoolPlan plan = pool(context);
        planner.supplyQueue(service.index(plan), 0, Long.MIN_VALUE);
        newQueues.said(plan.id(), new NewWord.Said<>(Optional.empty(), nowNanos()));
        context.response().setStatusCode(204).end();
    }

    private long until(JsonBody body) {
        double valid = body.number("validSeconds", 1, LONGEST_VALID_SECONDS).orElse(DEFAULT_VALID_SECONDS);
        return nowNanos() + (long) (valid * 1e9);
    }

    private long nowNanos() {
        return service.nanoClock().getAsLong();
    }

    private static void answer(RoutingContext context, PoolPlan plan, long until) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        Fields.time(answer, "validUntil", until);
        Routes.send(context, answer);
    }

    private void decisions(RoutingContext context) {
        PoolPlan plan = pool(context);
        long after = parameter(context, "after", Long.MAX_VALUE, 0);
        int limit = (int) parameter(context, "limit", DecisionLog.CAPACITY, DecisionLog.CAPACITY);
        List<Decision> newer = plan.decisions().stream()
                .filter(decision -> decision.number() > after)
                .toList();
        List<Decision> shown = newer.subList(Math.max(0, newer.size() - limit), newer.size());
        String accept = context.request().getHeader("Accept");
        if (accept != null && accept.contains(DecisionJson.LINES)) {
            context.response().putHeader("Content-Type", DecisionJson.LINES).end(DecisionJson.lines(plan.id(), shown));
        } else {
            Routes.send(context, DecisionJson.document(plan.id(), shown));
        }
    }

    private static long parameter(RoutingContext context, String name, long most, long otherwise) {
        List<String> values = context.queryParam(name);
        if (values.isEmpty()) {
            return otherwise;
        }
        String text = values.get(0);
        try {
            long value = Long.parseLong(text);
            if (values.size() == 1 && value >= 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below, as any other value that is out of range.
        }
        throw Problem.field(name, name + " must be a whole number from 0 to " + most + ", given once");
    }

    private PoolPlan pool(RoutingContext context) {
        return ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"));
    }
}
