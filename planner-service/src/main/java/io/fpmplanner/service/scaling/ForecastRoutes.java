/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code /v1/pools/{pool}/forecast}: arrivals that somebody expects, which replace the planner's own trend over their span. */
public final class ForecastRoutes implements RouteInstaller {
    private static final List<String> KNOWN = List.of("points", "validSeconds");
    private static final List<String> POINT = List.of("time", "requestsPerSecond");
    private static final String EXAMPLE =
            "{\"points\": [{\"time\": \"2026-01-05T08:00:00Z\", \"requestsPerSecond\": 4}]}";
    private static final double MOST_REQUESTS = 1e6;
    private static final double LONGEST_VALID_SECONDS = 1_209_600;

    private final ServiceView service;
    private final OrchestratorInput planner;

    public ForecastRoutes(ServiceView service, OrchestratorInput planner) {
        this.service = service;
        this.planner = planner;
    }

    @Override
    public void install(Router router) {
        HttpSettings http = service.config().http();
        new Routes(router, http.maxBodyBytes())
                .resource("/v1/pools/:pool/forecast", this::forecast, this::supply, this::withdraw);
    }

    private void forecast(RoutingContext context) {
        PoolPlan plan = ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"));
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        answer.put("origin", plan.recommendation().demand().forecastOrigin().name());
        plan.recommendation()
                .outlook()
                .ifPresentOrElse(
                        outlook -> Fields.number(answer, "requestsPerSecond", outlook.requestsPerSecond()),
                        () -> answer.putNull("requestsPerSecond"));
        Routes.send(context, answer);
    }

    private void supply(RoutingContext context) {
        PoolPlan plan = ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"));
        JsonBody body = JsonBody.of(context, EXAMPLE, KNOWN);
        List<SuppliedForecast.Point> points = new ArrayList<>();
        for (JsonBody each : body.children("points", SuppliedForecast.MAX_POINTS, POINT)) {
            double rate = each.number("requestsPerSecond", 0, MOST_REQUESTS)
                    .orElseThrow(() -> each.missing("requestsPerSecond"));
            long nanos = nanos(each);
            if (!points.isEmpty() && nanos <= points.get(points.size() - 1).nanos()) {
                throw each.wrong("time", new IllegalArgumentException("must be later than that of the point before"));
            }
            points.add(new SuppliedForecast.Point(nanos, rate));
        }
        long last = points.get(points.size() - 1).nanos();
        long now = service.nanoClock().getAsLong();
        if (last <= now) {
            throw body.wrong("points", new IllegalArgumentException("the last one is over already"));
        }
        double valid = body.number("validSeconds", 1, LONGEST_VALID_SECONDS).orElse(LONGEST_VALID_SECONDS);
        long until = Math.min(last, now + (long) (valid * 1e9));
        planner.supplyForecast(service.index(plan), new SuppliedForecast(points, until));
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        Fields.time(answer, "validUntil", until);
        Routes.send(context, answer);
    }

    private static long nanos(JsonBody point) {
        String text = point.text("time").orElseThrow(() -> point.missing("time"));
        try {
            Instant time = Instant.parse(text);
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw point.wrong("time", new IllegalArgumentException("must be as in 2026-01-05T08:00:00Z"));
        }
    }

    private void withdraw(RoutingContext context) {
        PoolPlan plan = ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"));
        planner.supplyForecast(service.index(plan), null);
        context.response().setStatusCode(204).end();
    }
}
