/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.latency.LatencyPrediction.SloShare;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.scaling.Outlook;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.service.metrics.Known;
import java.util.Optional;

/** The document of one recommendation. */
public final class RecommendationJson {
    private RecommendationJson() {}

    /**
     * The document.
     *
     * @param planAgeSeconds time since the plan was made
     */
    public static ObjectNode write(PoolPlan plan, double planAgeSeconds) {
        Recommendation recommendation = plan.recommendation();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("pool", plan.id())
                .put("role", Fields.role(recommendation.role()))
                .put("status", recommendation.status().name());
        Fields.number(node, "desiredReplicas", recommendation.desired());
        boolean known = Known.replicas(plan.pool());
        count(node, "currentReplicas", known, recommendation.fleet().current());
        count(node, "readyReplicas", known, recommendation.fleet().ready());
        count(node, "pendingReplicas", known, recommendation.fleet().pending());
        node.put("reason", recommendation.reason().name())
                .put("message", recommendation.message())
                .put("limitedBy", recommendation.limitedBy().map(Enum::name).orElse(null))
                .put("advisory", recommendation.advisory());
        predicted(node, recommendation.predicted());
        recommendation
                .outlook()
                .ifPresentOrElse(outlook -> outlook(node.putObject("outlook"), outlook), () -> node.putNull("outlook"));
        slo(node, plan.pool().settings().slo());
        if (Known.load(plan.pool())) {
            demand(node.putObject("demand"), recommendation.demand());
        } else {
            node.putNull("demand");
        }
        recommendation
                .capacity()
                .ifPresentOrElse(
                        capacity -> capacity(node.putObject("capacity"), recommendation.role(), capacity),
                        () -> node.putNull("capacity"));
        node.put("evidence", recommendation.evidence().name());
        Fields.number(node, "dataAgeSeconds", plan.pool().dataAgeSeconds() + planAgeSeconds);
        Fields.time(node, "decidedAt", recommendation.decidedAtNanos());
        Fields.time(node, "validUntil", recommendation.validUntilNanos());
        return node;
    }

    static void count(ObjectNode node, String name, boolean known, int count) {
        if (known) {
            node.put(name, count);
        } else {
            node.putNull(name);
        }
    }

    static void predicted(ObjectNode node, Optional<Recommendation.PredictedLatency> predicted) {
        if (predicted.isEmpty()) {
            node.putNull("predicted");
            return;
        }
        ObjectNode object = node.putObject("predicted");
        Fields.spread(object, "ttft", Optional.of(predicted.get().ttft()));
        Fields.spread(object, "itl", predicted.get().itl());
        sloShare(object, predicted.get().sloShare());
        Fields.number(object, "inputTokens", predicted.get().inputTokens());
    }

    static void sloShare(ObjectNode node, SloShare share) {
        ObjectNode object = node.putObject("sloShare").put("ttft", share.ttft());
        Fields.number(object, "itl", share.itl());
    }

    private static void outlook(ObjectNode node, Outlook outlook) {
        node.put("horizonSeconds", outlook.horizonSeconds()).put("coldStartSeconds", outlook.coldStartSeconds());
        Fields.number(node, "requestsPerSecond", outlook.requestsPerSecond());
        option(node.putObject("current"), outlook.current());
        option(node.putObject("desired"), outlook.desired());
        outlook.runnerUp()
                .ifPresentOrElse(other -> option(node.putObject("runnerUp"), other), () -> node.putNull("runnerUp"));
        node.put("whyNotRunnerUp", outlook.whyNot().isEmpty() ? null : outlook.whyNot());
    }

    private static void option(ObjectNode node, Outlook.Option option) {
        node.put("replicas", option.replicas());
        Fields.number(node, "attainment", option.attainment());
        Fields.number(node, "ttftSeconds", option.ttftSeconds());
        Fields.number(node, "itlSeconds", option.itlSeconds());
        Fields.number(node, "replicaSeconds", option.replicaSeconds());
    }

    static void slo(ObjectNode node, SloTarget slo) {
        node.putObject("slo")
                .put("ttftSeconds", slo.ttftSeconds())
                .put("itlSeconds", slo.itlSeconds())
                .put("attainment", slo.attainment());
    }

    private static void demand(ObjectNode node, Recommendation.Demand demand) {
        Fields.number(node, "prefillTokensPerSecond", demand.prefillTokensPerSecond());
        Fields.number(node, "decodeTokensPerSecond", demand.decodeTokensPerSecond());
        Fields.number(node, "requestsPerSecond", demand.requestsPerSecond());
        Fields.number(node, "backlogTokens", demand.backlogTokens());
        Fields.number(node, "forecastFactor", demand.forecastFactor());
        node.put("forecastOrigin", demand.forecastOrigin().name());
        Fields.number(node, "seasonSeconds", demand.seasonSeconds());
        Fields.number(node, "steadyReplicas", demand.steadyReplicas());
        Fields.number(node, "neededReplicas", demand.neededReplicas());
        Fields.number(node, "waitingOutside", demand.waitingOutside());
    }

    /** What a replica of that role does not do is null, not 0. */
    private static void capacity(ObjectNode node, Role role, Recommendation.ReplicaCapacity capacity) {
        boolean prefills = role != Role.DECODE;
        boolean decodes = role != Role.PREFILL;
        Fields.number(node, "batch", decodes ? capacity.batch() : Double.NaN);
        Fields.number(node, "prefillTokensPerSecond", prefills ? capacity.prefillTokensPerSecond() : Double.NaN);
        Fields.number(node, "decodeTokensPerSecond", decodes ? capacity.decodeTokensPerSecond() : Double.NaN);
        Fields.number(node, "requestsPerSecond", capacity.requestsPerSecond());
        Fields.number(node, "utilisation", capacity.utilisation());
        Fields.number(node, "itlSeconds", decodes ? capacity.itlSeconds() : Double.NaN);
        Fields.number(node, "ttftSeconds", prefills ? capacity.ttftSeconds() : Double.NaN);
        node.put("sloReachable", capacity.sloReachable())
                .put("evidence", capacity.evidence().name());
    }
}
