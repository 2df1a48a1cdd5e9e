/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.models.ModelReport;
import io.fpmplanner.service.prior.LearnedJson;

/** The document of what a pool's step-time model has learned. */
final class ModelJson {
    private ModelJson() {}

    static ObjectNode write(PoolPlan plan) {
        var model = plan.pool().model();
        ModelReport report = model.snapshot().report();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("pool", plan.id()).put("evidence", plan.pool().evidence().name());
        node.put("timingScope", model.timingScope()).put("timingScopes", model.scopes());
        prior(node, report);
        restored(node, report);
        regimes(node.putArray("regimes"), plan);
        node.put("framesLearned", report.framesLearned())
                .put("framesQuarantined", report.framesQuarantined())
                .put("framesRefused", report.framesRefused())
                .put("driftResets", report.driftResets());
        ArrayNode coefficients = node.putArray("coefficients");
        report.coefficients()
                .forEach(coefficient -> Fields.number(
                        coefficients.addObject().put("name", coefficient.name()).put("unit", coefficient.unit()),
                        "value",
                        coefficient.value()));
        ModelReport.LargestSeen seen = report.seen();
        ObjectNode largest = node.putObject("largestSeen");
        Fields.number(largest, "prefillRequests", seen.prefillRequests());
        Fields.number(largest, "prefillTokens", seen.prefillTokens());
        Fields.number(largest, "prefillKvTokens", seen.prefillKvTokens());
        Fields.number(largest, "decodeRequests", seen.decodeRequests());
        Fields.number(largest, "decodeKvTokens", seen.decodeKvTokens());
        ArrayNode slow = node.putArray("slowWorkers");
        plan.pool()
                .slowWorkers()
                .forEach(worker ->
                        WorkersJson.speed(slow.addObject().put("workerId", worker.workerId()), worker.speed()));
        return node;
    }

    /** What was learned, to start another pool from. */
    static ObjectNode export(PoolPlan plan) {
        var snapshot = plan.pool().model().snapshot();
        if (snapshot.report().framesLearned() == 0) {
            Problem problem = Problem.of(409, "no step of this pool was learned from yet");
            problem.members().put("pool", plan.id());
            PredictionJson.regimes(problem.members(), snapshot.readiness());
            throw problem;
        }
        ObjectNode source = JsonNodeFactory.instance.objectNode();
        source.put("pool", plan.id())
                .put("model", plan.pool().settings().model())
                .put("timingScope", plan.pool().model().timingScope());
        return LearnedJson.write(snapshot.learned(), source);
    }

    private static void prior(ObjectNode node, ModelReport report) {
        if (report.prior().isEmpty()) {
            node.putNull("prior");
            return;
        }
        ModelReport.PriorReport prior = report.prior().get();
        ObjectNode weights = node.putObject("prior").put("name", prior.name()).putObject("remainingWeight");
        Fields.number(weights, "PREFILL", prior.prefillWeight());
        Fields.number(weights, "DECODE", prior.decodeWeight());
        Fields.number(weights, "MIXED", prior.mixedWeight());
    }

    private static void restored(ObjectNode node, ModelReport report) {
        if (report.restored().isEmpty()) {
            node.putNull("restored");
            return;
        }
        ModelReport.RestoredReport restored = report.restored().get();
        node.putObject("restored")
                .putObject("framesToConfirm")
                .put("PREFILL", restored.prefillFrames())
                .put("DECODE", restored.decodeFrames())
                .put("MIXED", restored.mixedFrames());
    }

    private static void regimes(ArrayNode list, PoolPlan plan) {
        plan.pool().model().snapshot().readiness().forEach(regime -> {
            ObjectNode node = list.addObject()
                    .put("regime", regime.regime().name())
                    .put("evidence", regime.evidence().name())
                    .put("frames", regime.frames())
                    .put("framesNeeded", regime.framesNeeded());
            Fields.number(node, "mape", regime.mape());
            Fields.number(node, "bias", regime.bias());
            Fields.number(node, "coverage50", regime.coverage50());
            Fields.number(node, "coverage80", regime.coverage80());
            Fields.number(node, "coverage90", regime.coverage90());
            Fields.number(node, "coverage99", regime.coverage99());
        });
    }
}
