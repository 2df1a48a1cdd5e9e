/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.sim.fleet.LatencySummary;
import io.fpmplanner.sim.fleet.PoolState;
import java.util.Optional;

/** The demo's document: what the simulated fleet knows and the planner cannot. */
final class DemoJson {
    private DemoJson() {}

    /** @param elapsedSeconds since the load began */
    static ObjectNode document(Demo demo, double elapsedSeconds) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("elapsedSeconds", Math.round(elapsedSeconds * 10) / 10.0)
                .put("cycleSeconds", DemoScenario.CYCLE_SECONDS)
                .put("coldStartSeconds", DemoScenario.COLD_START_SECONDS)
                .put("seed", demo.seed())
                .put("framesDropped", demo.framesDropped())
                .put("arrivalsNotAsked", demo.probe().skipped())
                .put("worstLagSeconds", demo.fleet().worstLagNanos() * 1e-9);
        document.putObject("slo")
                .put("ttftSeconds", DemoScenario.SLO.ttftSeconds())
                .put("itlSeconds", DemoScenario.SLO.itlSeconds());
        ArrayNode pools = document.putArray("pools");
        demo.fleet().state().forEach(state -> pools.add(pool(demo, state)));
        return document;
    }

    private static ObjectNode pool(Demo demo, PoolState state) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", state.id());
        if (state.id().equals(DemoScenario.DECODE)) {
            node.putNull("offeredRequestsPerSecond"); // Its requests come from the prefill pool.
        } else {
            node.put("offeredRequestsPerSecond", state.offeredRequestsPerSecond());
        }
        node.put("readyReplicas", state.ready())
                .put("pendingReplicas", state.pending())
                .put("drainingReplicas", state.draining())
                .put("failedStarts", state.failedStarts())
                .put("runningRequests", state.running())
                .put("waitingRequests", state.waiting())
                .put("arrivedRequests", state.arrived())
                .put("finishedRequests", state.finished())
                .put("refusedRequests", state.refused());
        ObjectNode measured = node.putObject("measured");
        measured(measured.putObject("ttft"), state.ttft());
        measured(measured.putObject("itl"), state.itl());
        ObjectNode compared = node.putObject("comparison");
        compared(compared, "ttft", demo.probe().ttft(state.id()));
        compared(compared, "itl", demo.probe().itl(state.id()));
        path(node, demo.follower().path(state.id()));
        return node;
    }

    private static void measured(ObjectNode node, PoolState.Measured measured) {
        summary(node, "recent", measured.recent());
        summary(node, "sinceReady", measured.overall());
    }

    private static void summary(ObjectNode node, String name, Optional<LatencySummary> summary) {
        if (summary.isEmpty()) {
            node.putNull(name);
            return;
        }
        node.putObject(name)
                .put("count", summary.get().count())
                .put("p50Seconds", summary.get().p50Seconds())
                .put("p90Seconds", summary.get().p90Seconds());
    }

    /** Absent where nothing was compared, which is for good where a pool does not have that latency. */
    private static void compared(ObjectNode node, String name, Optional<PairedLatency.Summary> summary) {
        summary.ifPresent(known -> node.putObject(name)
                .put("count", known.count())
                .put("predictedP50Seconds", known.predictedP50Seconds())
                .put("measuredP50Seconds", known.measuredP50Seconds())
                .put("deviation", known.deviation())
                .put("sloMetShare", known.sloMetShare()));
    }

    private static void path(ObjectNode node, Optional<DesiredPath> path) {
        node.put("ready", path.isPresent());
        ArrayNode sizes = node.putArray("desiredPath");
        path.ifPresent(known -> known.sizes().forEach(sizes::add));
    }
}
