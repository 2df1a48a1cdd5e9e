/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.FleetView;
import io.fpmplanner.core.pool.KvView;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.service.metrics.Known;
import java.util.List;
import java.util.Locale;

/** The documents of pools: one line of the list, and the whole. */
final class PoolJson {
    private static final List<String> LOAD_FIELDS = List.of(
            "runningRequests",
            "runningKvTokens",
            "queuedPrefillRequests",
            "queuedPrefillTokens",
            "queuedDecodeRequests",
            "queuedDecodeKvTokens",
            "busyShare",
            "requestsPerSecond",
            "prefillTokensPerSecond",
            "decodeTokensPerSecond",
            "inputTokens",
            "cachedShare",
            "outputTokens",
            "contextTokens",
            "windowSeconds");

    private PoolJson() {}

    /** One entry of the list of pools. */
    static ObjectNode summary(PoolPlan plan, double planAgeSeconds) {
        Recommendation recommendation = plan.recommendation();
        PoolSettings settings = plan.pool().settings();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", plan.id())
                .put("model", settings.model())
                .put("role", Fields.role(settings.role()))
                .put("evidence", plan.recommendation().evidence().name())
                .put("status", recommendation.status().name());
        RecommendationJson.count(
                node,
                "currentReplicas",
                Known.replicas(plan.pool()),
                recommendation.fleet().current());
        RecommendationJson.count(
                node,
                "pendingReplicas",
                Known.replicas(plan.pool()),
                recommendation.fleet().pending());
        Fields.number(node, "desiredReplicas", recommendation.desired());
        node.put("reason", recommendation.reason().name());
        RecommendationJson.predicted(node, recommendation.predicted());
        RecommendationJson.slo(node, settings.slo());
        load(node, plan.pool());
        Fields.number(node, "dataAgeSeconds", plan.pool().dataAgeSeconds() + planAgeSeconds);
        return node;
    }

    /** Everything about one pool but its workers and its model. */
    static ObjectNode document(PoolPlan plan, double planAgeSeconds) {
        PoolSettings settings = plan.pool().settings();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", plan.id())
                .put("model", settings.model())
                .put("role", Fields.role(settings.role()))
                .put("evidence", plan.recommendation().evidence().name());
        settings(node.putObject("settings"), settings);
        fleet(node.putObject("fleet"), plan.pool().fleet());
        load(node, plan.pool());
        kv(node, plan.pool().kv());
        latency(node, plan.latency(), planAgeSeconds);
        node.set("recommendation", RecommendationJson.write(plan, planAgeSeconds));
        Fields.number(node, "dataAgeSeconds", plan.pool().dataAgeSeconds() + planAgeSeconds);
        Fields.time(node, "plannedAt", plan.pool().nowNanos());
        return node;
    }

    private static void settings(ObjectNode node, PoolSettings settings) {
        RecommendationJson.slo(node, settings.slo());
        ObjectNode engine = node.putObject("engine")
                .put("maxBatchedTokens", settings.limits().maxBatchedTokens())
                .put("maxSequences", settings.limits().maxSequences());
        Fields.number(engine, "kvCapacityTokens", settings.limits().kvCapacityTokens());
        engine.put("schedulingRule", settings.limits().schedulingRule().name());
        Fields.number(engine, "contextTokens", settings.limits().contextTokens());
        node.putObject("scaling")
                .put("minReplicas", settings.scaling().minReplicas())
                .put("maxReplicas", settings.scaling().maxReplicas())
                .put("targetUtilisation", settings.scaling().targetUtilisation())
                .put("scaleDownStabilisationSeconds", settings.scaling().scaleDownStabilisationSeconds())
                .put("coldStartSeconds", settings.scaling().coldStartSeconds())
                .put(
                        "objective",
                        settings.scaling()
                                .objective()
                                .name()
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'));
        node.putObject("liveness")
                .put("staleAfterSeconds", settings.liveness().staleAfterSeconds())
                .put("goneAfterSeconds", settings.liveness().goneAfterSeconds());
        node.putObject("ranks")
                .put("max", settings.ranks().max())
                .put("maxPerEndpoint", settings.ranks().maxPerEndpoint());
    }

    private static void fleet(ObjectNode node, FleetView fleet) {
        node.put("liveWorkers", fleet.live())
                .put("staleWorkers", fleet.stale())
                .put("goneWorkers", fleet.gone())
                .put("ranksPerWorker", fleet.ranksPerWorker());
        Fields.number(node, "suppliedReady", fleet.suppliedReady());
        Fields.number(node, "suppliedPending", fleet.suppliedPending());
    }

    private static void load(ObjectNode parent, PoolView pool) {
        if (!pool.fleet().everSeen()) {
            parent.putNull("load");
            return;
        }
        PoolLoad load = pool.load();
        ObjectNode node = parent.putObject("load");
        if (!Known.load(pool)) {
            LOAD_FIELDS.forEach(node::putNull);
            return;
        }
        Fields.number(node, "runningRequests", load.running());
        Fields.number(node, "runningKvTokens", load.runningKvTokens());
        Fields.number(node, "queuedPrefillRequests", load.queuedPrefillRequests());
        Fields.number(node, "queuedPrefillTokens", load.queuedPrefillTokens());
        Fields.number(node, "queuedDecodeRequests", load.queuedDecodeRequests());
        Fields.number(node, "queuedDecodeKvTokens", load.queuedDecodeKvTokens());
        Fields.number(node, "busyShare", load.busyShare());
        PoolLoad.Traffic traffic = load.traffic();
        Fields.number(node, "requestsPerSecond", traffic.requestsPerSecond());
        Fields.number(node, "prefillTokensPerSecond", traffic.prefillTokensPerSecond());
        Fields.number(node, "decodeTokensPerSecond", traffic.decodeTokensPerSecond());
        Fields.number(node, "inputTokens", traffic.inputTokens());
        Fields.number(node, "cachedShare", traffic.cachedShare());
        Fields.number(node, "outputTokens", traffic.outputTokens());
        Fields.number(node, "contextTokens", traffic.contextTokens());
        Fields.number(node, "windowSeconds", traffic.windowSeconds());
    }

    /** Null where no engine says anything of its KV cache. */
    private static void kv(ObjectNode parent, KvView.Summary kv) {
        if (kv.reports() == 0) {
            parent.putNull("kv");
            return;
        }
        ObjectNode node = parent.putObject("kv")
                .put("reports", kv.reports())
                .put("refused", kv.refused())
                .put("unmatched", kv.unmatched());
        Fields.number(node, "capacityTokensPerRank", kv.capacityTokensPerRank());
        Fields.number(node, "usedShare", kv.usedShare());
    }

    private static void latency(ObjectNode node, LatencyPrediction latency, double planAgeSeconds) {
        if (latency instanceof LatencyPrediction.Predicted predicted) {
            PredictionJson.write(node.putObject("latency"), predicted, planAgeSeconds);
            return;
        }
        node.putNull("latency");
        if (latency instanceof LatencyPrediction.NotReady notReady) {
            ObjectNode missing = node.putObject("notReady").put("detail", notReady.detail());
            PredictionJson.regimes(missing, notReady.regimes());
        }
    }
}
