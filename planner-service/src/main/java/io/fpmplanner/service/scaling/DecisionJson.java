/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.service.http.Fields;
import java.util.List;

/** Entries of a decision log as documents. */
public final class DecisionJson {
    /** Media type of one entry a line. */
    static final String LINES = "application/x-ndjson";

    private DecisionJson() {}

    static ObjectNode document(String pool, List<Decision> decisions) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("pool", pool);
        ArrayNode list = document.putArray("decisions");
        decisions.forEach(decision -> list.add(write(decision)));
        return document;
    }

    static String lines(String pool, List<Decision> decisions) {
        StringBuilder lines = new StringBuilder();
        for (Decision decision : decisions) {
            ObjectNode line = JsonNodeFactory.instance.objectNode().put("pool", pool);
            line.setAll(write(decision));
            lines.append(line).append('\n');
        }
        return lines.toString();
    }

    /** One entry. */
    public static ObjectNode write(Decision decision) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("number", decision.number());
        Fields.time(node, "decidedAt", decision.atNanos());
        node.put("status", decision.status().name());
        Fields.number(node, "desiredReplicas", decision.desired());
        Fields.number(node, "before", decision.before());
        node.put("readyReplicas", decision.ready()).put("pendingReplicas", decision.pending());
        Fields.number(node, "neededReplicas", decision.needed());
        Fields.number(node, "requestsPerSecond", decision.requestsPerSecond());
        return node.put("reason", decision.reason().name())
                .put("limitedBy", decision.limitedBy().map(Enum::name).orElse(null))
                .put("advisory", decision.advisory())
                .put("evidence", decision.evidence().name())
                .put("message", decision.message());
    }
}
