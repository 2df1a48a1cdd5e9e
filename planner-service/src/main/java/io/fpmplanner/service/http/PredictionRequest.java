/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fpmplanner.core.latency.LatencyQuery;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the body {@code {inputTokens, cachedTokens?, workerId?}}; whatever is wrong becomes a {@link Problem}. */
final class PredictionRequest {
    private static final List<String> FIELDS = List.of("inputTokens", "cachedTokens", "workerId");
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '([^']{0,60})'");
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private PredictionRequest() {}

    static LatencyQuery parse(byte[] body) {
        JsonNode node = tree(body);
        node.fieldNames().forEachRemaining(name -> {
            if (!FIELDS.contains(name)) {
                throw Problem.field(name, name + " is not a known field; known are " + String.join(", ", FIELDS));
            }
        });
        if (node.path("inputTokens").isMissingNode()) {
            throw Problem.field("inputTokens", "inputTokens is required");
        }
        long inputTokens = whole(node, "inputTokens", 0);
        long cachedTokens = whole(node, "cachedTokens", 0);
        try {
            return new LatencyQuery(inputTokens, cachedTokens, worker(node));
        } catch (IllegalArgumentException e) {
            // The message starts with the field.
            String message = String.valueOf(e.getMessage());
            throw Problem.field(message.split(" ", 2)[0], message);
        }
    }

    private static JsonNode tree(byte[] body) {
        if (body.length == 0) {
            throw Problem.of(400, "the body is empty; send a JSON object such as {\"inputTokens\": 1000}");
        }
        try {
            JsonNode node = JSON.readTree(body);
            if (!node.isObject()) {
                throw Problem.of(400, "the body must be a JSON object such as {\"inputTokens\": 1000}");
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw Problem.of(400, "the body is nested too deeply, or holds too long a number or name");
        } catch (JsonProcessingException e) {
            throw Problem.of(400, "the body is not JSON: " + explain(e));
        } catch (IOException e) {
            throw Problem.of(400, "the body is not JSON");
        }
    }

    /** In words of our own: those of the parser are about its settings. */
    private static String explain(JsonProcessingException e) {
        Matcher twice = DUPLICATE.matcher(e.getOriginalMessage());
        String what = e instanceof MismatchedInputException
                ? "something follows the object"
                : twice.lookingAt() ? "the field '" + twice.group(1) + "' appears twice" : "it is malformed";
        return e.getLocation() == null
                ? what
                : what + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static long whole(JsonNode node, String field, long fallback) {
        JsonNode value = node.path(field);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw Problem.field(field, field + " must be a whole number, was " + shortText(value));
        }
        return value.asLong();
    }

    private static Optional<String> worker(JsonNode node) {
        JsonNode value = node.path("workerId");
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw Problem.field("workerId", "workerId must be a string, was " + shortText(value));
        }
        return Optional.of(value.asText());
    }

    private static String shortText(JsonNode value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
