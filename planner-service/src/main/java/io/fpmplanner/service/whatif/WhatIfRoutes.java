/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.twin.WhatIfAnswer;
import io.fpmplanner.core.twin.WhatIfRange;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code POST /v1/pools/{pool}/what-if}, and {@code /what-if/curve} for many points at once.
 *
 * <p>A question is read on the event loop and answered on a worker thread, one at a time, so that simulations never take
 * more than one core from the rest of the service. At most {@value #MOST_WAITING} wait; more are refused with 429.
 */
public final class WhatIfRoutes implements RouteInstaller {
    private static final int MOST_WAITING = 32;

    private final ServiceView service;
    private final WorkerExecutor workers;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Questions are answered on a worker thread of this Vert.x. */
    public WhatIfRoutes(Vertx vertx, ServiceView service) {
        this.service = service;
        this.workers = vertx.createSharedWorkerExecutor("what-if", 1);
    }

    @Override
    public void install(Router router) {
        Routes routes = new Routes(router, service.config().http().maxBodyBytes());
        routes.postJson("/v1/pools/:pool/what-if", this::ask);
        routes.postJson("/v1/pools/:pool/what-if/curve", this::curve);
    }

    private void ask(RoutingContext context) {
        PlanView plan = service.requirePlan();
        PoolPlan pool = pool(context, plan);
        WhatIfRequest request = WhatIfRequest.read(
                plan, pool, JsonBody.of(context, WhatIfRequest.EXAMPLE, WhatIfRequest.FIELDS), OptionalDouble.empty());
        double age = ageSeconds(plan, pool);
        simulate(context, () -> answer(request, age));
    }

    private void curve(RoutingContext context) {
        PlanView plan = service.requirePlan();
        PoolPlan pool = pool(context, plan);
        CurveRequest request =
                CurveRequest.read(plan, pool, JsonBody.of(context, CurveRequest.EXAMPLE, CurveRequest.fields()));
        double age = ageSeconds(plan, pool);
        simulate(context, () -> request.answer(age));
    }

    private static PoolPlan pool(RoutingContext context, PlanView plan) {
        return ServiceView.requirePool(plan, context.pathParam("pool"));
    }

    private double ageSeconds(PlanView plan, PoolPlan pool) {
        return pool.pool().dataAgeSeconds() + service.ageSeconds(plan);
    }

    private void simulate(RoutingContext context, Callable<ObjectNode> answer) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            throw Problem.of(429, "too many what-if questions wait already; try again in a second");
        }
        workers.executeBlocking(answer, false)
                .eventually(() -> {
                    waiting.decrementAndGet();
                    return Future.succeededFuture();
                })
                .onSuccess(document -> Routes.send(context, document))
                .onFailure(context::fail);
    }

    private static ObjectNode answer(WhatIfRequest request, double dataAgeSeconds) {
        WhatIfRange range = request.twin().askWithRange(request.question(), request.loadError());
        WhatIfAnswer answer = range.answer();
        WhatIfJson.tooFar(answer).ifPresent(problem -> {
            throw problem;
        });
        ObjectNode document = WhatIfJson.write(request, answer, dataAgeSeconds);
        WhatIfJson.ranges(document, range);
        if (request.search()) {
            WhatIfJson.search(document, request, request.twin().search(request.question(), request.mostReplicas()));
        }
        return document;
    }
}
