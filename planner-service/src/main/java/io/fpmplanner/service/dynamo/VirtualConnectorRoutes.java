/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.Routes;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * The values of Dynamo's virtual connector: {@code GET /v1/dynamo/decision}, and the acknowledgement {@code POST
 * /v1/dynamo/decision/complete}. Used by one event loop.
 */
public final class VirtualConnectorRoutes implements RouteInstaller {
    private static final String EXAMPLE = "{\"decision_id\": 1790000000}";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final ServiceView service;
    private final ScalerSignals signals;
    private final ModelPools pools;
    private final DecisionLedger ledger;

    /** Tells what these signals say. */
    public VirtualConnectorRoutes(ServiceView service, ScalerSignals signals) {
        this.service = service;
        this.signals = signals;
        this.pools = ModelPools.of(service.config());
        // The present in seconds: above every number of a planner before this one, which made less than one a second.
        this.ledger = new DecisionLedger(Math.max(0, service.nanoClock().getAsLong() / NANOS_PER_SECOND));
    }

    @Override
    public void install(Router router) {
        Routes routes = new Routes(router, service.config().http().maxBodyBytes());
        routes.get("/v1/dynamo/decision", this::tell);
        routes.postJson("/v1/dynamo/decision/complete", this::complete);
    }

    private void tell(RoutingContext context) {
        requireOneModel();
        PlanView plan = service.requirePlan();
        Signal prefill = replicas(pools.prefillOf(plan));
        Signal decode = replicas(pools.decodeOf(plan));
        if (prefill instanceof Signal.Known p && decode instanceof Signal.Known d && !p.held() && !d.held()) {
            ledger.offer((int) p.value(), (int) d.value(), service.nanoClock().getAsLong());
        } else if (ledger.current().isEmpty()) {
            Signal missing = prefill instanceof Signal.Unknown ? prefill : decode;
            throw Problem.of(
                    503, missing instanceof Signal.Unknown unknown ? unknown.why() : "nothing was decided yet");
        }
        Routes.send(context, write());
    }

    private void requireOneModel() {
        if (!pools.fault().isEmpty()) {
            throw Problem.of(409, pools.fault());
        }
    }

    /** A component that is not configured has no workers, and that is known. */
    private Signal replicas(Optional<PoolPlan> pool) {
        return pool.map(signals::desiredReplicas).orElse(new Signal.Known(0, false));
    }

    private void complete(RoutingContext context) {
        requireOneModel();
        JsonBody body = JsonBody.of(context, EXAMPLE, List.of("decision_id"));
        long id = body.whole("decision_id", 0, Long.MAX_VALUE).orElseThrow(() -> body.missing("decision_id"));
        if (ledger.current().isEmpty()) {
            throw Problem.of(503, "nothing was decided since the planner's start");
        }
        if (!ledger.complete(id)) {
            throw Problem.field(
                    "decision_id",
                    "decision_id must be that of a decision that was told, at most "
                            + ledger.current().map(DecisionLedger.Decision::id).orElse(DecisionLedger.NONE) + ", was "
                            + id);
        }
        Routes.send(context, write());
    }

    private ObjectNode write() {
        DecisionLedger.Decision decision = ledger.current().orElseThrow();
        return JsonNodeFactory.instance
                .objectNode()
                .put("num_prefill_workers", decision.prefill())
                .put("num_decode_workers", decision.decode())
                .put("decision_id", decision.id())
                .put("scaled_decision_id", ledger.completed());
    }
}
