/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.twin.FleetTwin;
import io.fpmplanner.core.twin.WhatIfAnswer;
import io.fpmplanner.core.twin.WhatIfRange;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.models.RegimeReadiness;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.http.Problem;
import java.util.List;
import java.util.Optional;

/** What-if answers as JSON. */
final class WhatIfJson {
    private WhatIfJson() {}

    static ObjectNode write(WhatIfRequest request, WhatIfAnswer answer, double dataAgeSeconds) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        PoolPlan decode = request.decodePool();
        node.put("pool", request.pool().id());
        node.put("decodePool", decode == null ? null : decode.id());
        workload(node.putObject("workload"), request.question().workload());
        node.put("replicas", request.question().replicas());
        node.put(
                "decodeReplicas",
                decode == null ? null : (Integer) request.question().decodeReplicas());
        node.put("routing", routing(request));
        latencies(node, answer);
        Fields.spread(node, "requestItl", answer.requestItl());
        ArrayNode pools = node.putArray("pools");
        for (int i = 0; i < answer.pools().size(); i++) {
            PoolPlan plan = i == 0 || decode == null ? request.pool() : decode;
            pool(pools.addObject(), plan.id(), answer.pools().get(i));
        }
        node.put("evidence", answer.evidence().name());
        extrapolation(node, answer);
        Fields.number(node, "dataAgeSeconds", dataAgeSeconds);
        return node;
    }

    static void latencies(ObjectNode node, WhatIfAnswer answer) {
        node.put("stable", answer.stable());
        Fields.spread(node, "ttft", answer.ttft());
        Fields.spread(node, "itl", answer.itl());
        ObjectNode attainment = node.putObject("attainment");
        Fields.number(attainment, "ttft", answer.attainment().ttft());
        Fields.number(attainment, "itl", answer.attainment().itl());
        Fields.number(attainment, "both", answer.attainment().both());
    }

    static void ranges(ObjectNode node, WhatIfRange range) {
        range(node, "ttftRange", range.ttft());
        range(node, "itlRange", range.itl());
    }

    private static void range(ObjectNode node, String name, Optional<WhatIfRange.Bounds> bounds) {
        if (bounds.isEmpty()) {
            node.putNull(name);
            return;
        }
        ObjectNode one = node.putObject(name);
        Fields.spread(one, "low", Optional.of(bounds.get().low()));
        Fields.spread(one, "high", bounds.get().high());
    }

    static void extrapolation(ObjectNode node, WhatIfAnswer answer) {
        node.putObject("extrapolation").put("factor", answer.extrapolation()).put("bound", Problem.EXTRAPOLATION_BOUND);
    }

    static boolean isTooFar(WhatIfAnswer answer) {
        return answer.extrapolation() > Problem.EXTRAPOLATION_BOUND;
    }

    static void search(ObjectNode node, WhatIfRequest request, FleetTwin.Bounds bounds) {
        Fields.number(node, "highestSustainableRequestsPerSecond", bounds.highestRate());
        List<Integer> fleet = bounds.smallestFleet();
        if (fleet.isEmpty()) {
            node.putNull("smallestFleet");
            return;
        }
        ObjectNode sizes = node.putObject("smallestFleet");
        sizes.put("replicas", fleet.get(0));
        sizes.put("decodeReplicas", request.decodePool() == null ? null : fleet.get(1));
    }

    private static String routing(WhatIfRequest request) {
        return switch (request.question().routing()) {
            case RANDOM -> "random";
            case ROUND_ROBIN -> "roundRobin";
            case LEAST_LOADED -> "leastLoaded";
        };
    }

    private static void workload(ObjectNode node, Workload workload) {
        node.put("requestsPerSecond", workload.requestsPerSecond()).put("burstiness", workload.burstiness());
        LengthsJson.write(node, "inputTokens", workload.inputTokens());
        LengthsJson.write(node, "outputTokens", workload.outputTokens());
        node.put("cachedShare", workload.cachedShare());
    }

    private static void pool(ObjectNode node, String id, WhatIfAnswer.PoolAnswer pool) {
        node.put("pool", id).put("role", Fields.role(pool.role())).put("replicas", pool.replicas());
        Fields.number(node, "utilisation", pool.utilisation());
        Fields.number(node, "saturatedRequestsPerSecond", pool.saturatedRequestsPerSecond());
        Fields.number(node, "busyShare", pool.busyShare());
        Fields.number(node, "meanBatch", pool.meanBatch());
        Fields.number(node, "meanQueue", pool.meanQueue());
        Fields.number(node, "meanKvTokens", pool.meanKvTokens());
        Fields.spread(node, "ttft", pool.ttft());
    }

    /** A 409: the progress of each regime, and which fields would have to be given. */
    static Problem notReady(PoolPlan plan, String detail, List<String> missing) {
        Problem problem = Problem.of(409, detail);
        problem.members().put("pool", plan.id());
        ArrayNode fields = problem.members().putArray("missing");
        missing.forEach(fields::add);
        ArrayNode regimes = problem.members().putArray("regimes");
        for (RegimeReadiness regime : plan.pool().model().snapshot().readiness()) {
            regimes.addObject()
                    .put("regime", regime.regime().name())
                    .put("evidence", regime.evidence().name())
                    .put("frames", regime.frames())
                    .put("framesNeeded", regime.framesNeeded());
        }
        return problem;
    }

    /** A 422 if the answer would lie too far beyond what was seen. */
    static Optional<Problem> tooFar(WhatIfAnswer answer) {
        return isTooFar(answer) ? Optional.of(Problem.tooFar(answer.extrapolation())) : Optional.empty();
    }
}
