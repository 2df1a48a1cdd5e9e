/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.LimitingFactor;
import io.fpmplanner.core.scaling.ReasonCode;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Entries of a decision log in a state. What is not known is left out. */
final class DecisionsJson {
    private DecisionsJson() {}

    static void write(List<Decision> decisions, ArrayNode into) {
        for (Decision decision : decisions) {
            ObjectNode node = into.addObject()
                    .put("number", decision.number())
                    .put("atNanos", decision.atNanos())
                    .put("status", decision.status().name())
                    .put("ready", decision.ready())
                    .put("pending", decision.pending())
                    .put("reason", decision.reason().name())
                    .put("advisory", decision.advisory())
                    .put("evidence", decision.evidence().name())
                    .put("message", decision.message());
            decision.desired().ifPresent(value -> node.put("desired", value));
            decision.before().ifPresent(value -> node.put("before", value));
            decision.needed().ifPresent(value -> node.put("needed", value));
            decision.requestsPerSecond().ifPresent(value -> node.put("requestsPerSecond", value));
            decision.limitedBy().ifPresent(value -> node.put("limitedBy", value.name()));
        }
    }

    /** Those that can be read; a sentence of complaint if some cannot, which costs nothing else of the pool. */
    static List<Decision> read(String pool, JsonNode array, List<String> complaints) {
        List<Decision> decisions = new ArrayList<>();
        int unreadable = 0;
        for (JsonNode node : array) {
            try {
                decisions.add(decision(node));
            } catch (IllegalArgumentException e) {
                unreadable++;
            }
        }
        if (unreadable > 0) {
            complaints.add(unreadable + " entries of the decision log of pool '" + pool + "' cannot be read");
        }
        return decisions;
    }

    private static Decision decision(JsonNode node) {
        return new Decision(
                node.path("number").asLong(),
                node.path("atNanos").asLong(),
                ScalingStatus.valueOf(node.path("status").asText()),
                integer(node.path("desired")),
                integer(node.path("before")),
                node.path("ready").asInt(),
                node.path("pending").asInt(),
                number(node.path("needed")),
                number(node.path("requestsPerSecond")),
                ReasonCode.valueOf(node.path("reason").asText()),
                node.has("limitedBy")
                        ? Optional.of(
                                LimitingFactor.valueOf(node.path("limitedBy").asText()))
                        : Optional.empty(),
                node.path("advisory").asBoolean(),
                Evidence.valueOf(node.path("evidence").asText()),
                node.path("message").asText());
    }

    private static OptionalInt integer(JsonNode node) {
        return node.isIntegralNumber() ? OptionalInt.of(node.asInt()) : OptionalInt.empty();
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }
}
