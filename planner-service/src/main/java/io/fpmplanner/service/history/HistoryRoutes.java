/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * {@code /v1/pools/{pool}/history} and {@code /v1/pools/{pool}/steps}. Looks at the board a few times a second and keeps
 * each new plan, all on the HTTP verticle's event loop.
 */
public final class HistoryRoutes implements RouteInstaller {
    private static final long LOOK_MILLIS = 200;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Vertx vertx;
    private final ServiceView service;
    private final History history;
    private final List<String> poolIds;
    private long keptNanos;

    /** Keeps plans in the given history. */
    public HistoryRoutes(Vertx vertx, ServiceView service, History history) {
        this.vertx = vertx;
        this.service = service;
        this.history = history;
        this.poolIds = service.config().pools().stream()
                .map(pool -> pool.settings().id())
                .toList();
    }

    @Override
    public void install(Router router) {
        // A timer of the verticle's own context ends with it.
        vertx.setPeriodic(LOOK_MILLIS, timer -> look());
        Routes routes = new Routes(router, service.config().http().maxBodyBytes());
        routes.get("/v1/pools/:pool/history", this::past);
        routes.get("/v1/pools/:pool/steps", this::steps);
    }

    private void look() {
        service.plan().filter(plan -> plan.nowNanos() != keptNanos).ifPresent(plan -> {
            keptNanos = plan.nowNanos();
            history.planned(plan);
        });
    }

    private void past(RoutingContext context) {
        PlanView plan = service.requirePlan();
        String id = ServiceView.requirePool(plan, context.pathParam("pool")).id();
        HistoryQuery query = HistoryQuery.of(context.queryParams());
        look();
        Routes.send(
                context,
                HistoryJson.write(id, history.pool(poolIds.indexOf(id)), query, plan.nowNanos() / NANOS_PER_MILLI));
    }

    private void steps(RoutingContext context) {
        String id = ServiceView.requirePool(service.requirePlan(), context.pathParam("pool"))
                .id();
        Routes.send(context, HistoryJson.steps(id, history.samples(poolIds.indexOf(id))));
    }
}
