/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.twin.WhatIf;
import io.fpmplanner.core.twin.WhatIfAnswer;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.service.http.Fields;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A what-if question at several rates, replicas, or all pairs of both.
 *
 * @param asked what holds at all points
 * @param points one question each, by rate within replicas
 */
record CurveRequest(WhatIfRequest asked, List<WhatIf> points) {
    static final String EXAMPLE = "{\"rates\": [5, 10, 20], \"replicas\": 4}";
    private static final List<String> OWN = List.of("rates", "replicaCounts");
    private static final int MOST_POINTS = 64;

    CurveRequest {
        points = List.copyOf(points);
    }

    /** Fields of a what-if question but for the search, and the lists. */
    static List<String> fields() {
        List<String> fields = new ArrayList<>(WhatIfRequest.FIELDS);
        fields.remove("search");
        fields.addAll(OWN);
        return fields;
    }

    static CurveRequest read(PlanView plan, PoolPlan pool, JsonBody body) {
        List<Double> rates =
                body.numbers("rates", MOST_POINTS, WhatIfRequest.LEAST_RATE, Workload.MAX_REQUESTS_PER_SECOND);
        List<Integer> replicas = replicaCounts(body);
        refuseBoth(body, "rates", "requestsPerSecond");
        refuseBoth(body, "replicaCounts", "replicas");
        if (rates.isEmpty() && replicas.isEmpty()) {
            throw Problem.of(400, "rates or replicaCounts is required; send an object such as " + EXAMPLE);
        }
        WhatIfRequest asked = WhatIfRequest.read(
                plan, pool, body, rates.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(rates.get(0)));
        WhatIf question = asked.question();
        List<WhatIf> points = new ArrayList<>();
        for (int count : replicas.isEmpty() ? List.of(question.replicas()) : replicas) {
            for (double rate : rates.isEmpty() ? List.of(question.workload().requestsPerSecond()) : rates) {
                points.add(question.with(count, question.decodeReplicas())
                        .with(question.workload().at(rate)));
            }
        }
        if (points.size() > MOST_POINTS) {
            throw Problem.field(
                    "rates",
                    "rates times replicaCounts must be at most " + MOST_POINTS + " points, were " + points.size());
        }
        PlayedChunks.requireFew(body, pool.pool(), question.workload(), points.size());
        return new CurveRequest(asked, points);
    }

    private static void refuseBoth(JsonBody body, String list, String single) {
        if (body.has(list) && body.has(single)) {
            throw Problem.field(single, "either " + list + " or " + single + " can be given, not both");
        }
    }

    private static List<Integer> replicaCounts(JsonBody body) {
        List<Integer> counts = new ArrayList<>();
        for (double count : body.numbers("replicaCounts", MOST_POINTS, 1, WhatIf.MAX_REPLICAS)) {
            if (count != Math.rint(count)) {
                throw Problem.outside(
                        "replicaCounts",
                        "replicaCounts must be whole numbers between 1 and " + WhatIf.MAX_REPLICAS + ", was " + count,
                        "1",
                        Integer.toString(WhatIf.MAX_REPLICAS));
            }
            counts.add((int) count);
        }
        return counts;
    }

    /** Plays all points. */
    ObjectNode answer(double dataAgeSeconds) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        PoolPlan decode = asked.decodePool();
        document.put("pool", asked.pool().id()).put("decodePool", decode == null ? null : decode.id());
        ArrayNode list = document.putArray("points");
        List<WhatIfAnswer> answers = asked.twin().askAll(points);
        for (int i = 0; i < answers.size(); i++) {
            point(list.addObject(), points.get(i), answers.get(i));
        }
        Fields.number(document, "dataAgeSeconds", dataAgeSeconds);
        return document;
    }

    private void point(ObjectNode node, WhatIf point, WhatIfAnswer answer) {
        node.put("requestsPerSecond", point.workload().requestsPerSecond()).put("replicas", point.replicas());
        node.put("decodeReplicas", asked.decodePool() == null ? null : (Integer) point.decodeReplicas());
        boolean tooFar = WhatIfJson.isTooFar(answer);
        node.put("tooFar", tooFar);
        if (tooFar) {
            List.of("stable", "ttft", "itl", "attainment", "utilisation").forEach(node::putNull);
        } else {
            WhatIfJson.latencies(node, answer);
            double utilisation = answer.pools().stream()
                    .mapToDouble(WhatIfAnswer.PoolAnswer::utilisation)
                    .max()
                    .orElse(Double.NaN);
            Fields.number(node, "utilisation", utilisation);
        }
        node.put("evidence", answer.evidence().name());
        WhatIfJson.extrapolation(node, answer);
    }
}
