/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.CalibrationView;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.latency.PredictionScore;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.LivenessState;
import io.fpmplanner.core.pool.Quantity;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.WorkerView;
import io.fpmplanner.core.pool.WorkloadView;
import io.fpmplanner.service.http.Fields;
import java.util.Optional;

/** Workload and calibration as JSON. */
final class WorkloadJson {
    private WorkloadJson() {}

    static ObjectNode document(PoolPlan plan) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        node.put("role", Fields.role(plan.pool().settings().role()));
        node.set("workload", workload(plan.pool().workload()));
        ArrayNode ranks = node.putArray("ranks");
        for (WorkerView worker : plan.pool().workers()) {
            for (RankView rank : worker.ranks()) {
                if (rank.state() != LivenessState.GONE) {
                    ObjectNode one = ranks.addObject();
                    one.put("endpoint", rank.endpoint())
                            .put("workerId", rank.workerId())
                            .put("dpRank", rank.dpRank());
                    one.set("workload", workload(rank.workload()));
                }
            }
        }
        return node;
    }

    private static ObjectNode workload(WorkloadView view) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        quantity(node, "requestsPerSecond", view.requestsPerSecond());
        quantity(node, "inputTokens", view.inputTokens());
        quantity(node, "inputStandardDeviation", view.inputDeviation());
        quantity(node, "outputTokens", view.outputTokens());
        quantity(node, "outputStandardDeviation", view.outputDeviation());
        quantity(node, "cachedShare", view.cachedShare());
        quantity(node, "decodeConcurrency", view.decodeConcurrency());
        quantity(node, "prefillTokensPerSecond", view.prefillTokensPerSecond());
        quantity(node, "decodeTokensPerSecond", view.decodeTokensPerSecond());
        quantity(node, "queueGrowthPerSecond", view.queueGrowthPerSecond());
        quantity(node, "kvTokens", view.kvTokens());
        quantity(node, "kvCapacityTokens", view.kvCapacityTokens());
        quantity(node, "gapSeconds", view.gapSeconds());
        return node;
    }

    private static void quantity(ObjectNode node, String name, Quantity quantity) {
        ObjectNode one = node.putObject(name);
        Fields.number(one, "value", quantity.value());
        Fields.number(one, "standardError", quantity.standardError());
        one.put("origin", quantity.origin().name());
    }

    static ObjectNode observed(PoolPlan plan, ObservationCount count) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        node.put("accepted", count.accepted()).put("refused", count.refused());
        node.put("unpredicted", count.unpredicted()).put("inFuture", count.inFuture());
        return node;
    }

    static ObjectNode calibration(PoolPlan plan) {
        CalibrationView view = plan.calibration();
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("pool", plan.id());
        score(node, "itlFromFrames", view.itlFromFrames());
        score(node, "queueWaitFromFrames", view.queueWaitFromFrames());
        score(node, "ttftObserved", view.ttftObserved());
        score(node, "itlObserved", view.itlObserved());
        node.put("observationsRefused", view.observationsRefused());
        return node;
    }

    private static void score(ObjectNode node, String name, Optional<PredictionScore> score) {
        if (score.isEmpty()) {
            node.putNull(name);
            return;
        }
        ObjectNode one = node.putObject(name).put("count", score.get().count());
        Fields.number(one, "bias", score.get().bias());
        Fields.number(one, "error", score.get().error());
        Fields.number(one, "seenSeconds", score.get().seenSeconds());
        Fields.number(one, "predictedSeconds", score.get().predictedSeconds());
        Fields.number(one, "within50", score.get().within50());
        Fields.number(one, "within90", score.get().within90());
        Fields.number(one, "within99", score.get().within99());
    }
}
