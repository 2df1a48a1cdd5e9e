/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.inputs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.RejectSample;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code GET /v1/inputs}: endpoints, ranks, losses and rejected messages, summed for each pool. */
public final class InputsRoutes implements RouteInstaller {
    private final ServiceView service;
    private final Supplier<List<RejectSample>> rejects;

    /** @param rejects a rejected message of each source, pool and reason */
    public InputsRoutes(ServiceView service, Supplier<List<RejectSample>> rejects) {
        this.service = service;
        this.rejects = rejects;
    }

    @Override
    public void install(Router router) {
        new Routes(router, service.config().http().maxBodyBytes()).get("/v1/inputs", this::answer);
    }

    private void answer(RoutingContext context) {
        PlanView plan = service.requirePlan();
        long nowNanos = service.nanoClock().getAsLong();
        Map<Integer, List<EndpointStatus>> endpoints =
                service.endpoints().get().stream().collect(Collectors.groupingBy(EndpointStatus::poolIndex));
        Map<Integer, List<RejectSample>> samples =
                rejects.get().stream().collect(Collectors.groupingBy(RejectSample::poolIndex));
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode list = document.putArray("pools");
        List<PoolPlan> pools = plan.pools();
        for (int i = 0; i < pools.size(); i++) {
            InputsJson.write(
                    list.addObject(),
                    pools.get(i),
                    endpoints.getOrDefault(i, List.of()),
                    samples.getOrDefault(i, List.of()),
                    nowNanos);
        }
        Routes.send(context, document);
    }
}
