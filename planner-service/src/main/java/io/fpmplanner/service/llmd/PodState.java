/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.llmd;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What llm-d's router knows of a pod and a request that might go there.
 *
 * @param kvShare of the KV cache in use, 0 to 1 ({@code kv_cache_percentage})
 * @param inputTokens of the request
 * @param waiting requests that wait
 * @param running requests that run
 * @param cachedShare of the prompt that the pod has cached, 0 to 1 ({@code prefix_cache_score})
 * @param podType {@code prefill}, {@code decode} or empty
 * @param prefillTokensInFlight prompt tokens sent to the pod and not yet computed; 0 where not counted
 */
record PodState(
        double kvShare,
        double inputTokens,
        double waiting,
        double running,
        double cachedShare,
        String podType,
        double prefillTokensInFlight) {

    /**
     * From one entry of a request; fields that are not used are passed over.
     *
     * @throws IllegalArgumentException if a field is missing, no number or out of range
     */
    static PodState read(JsonNode node) {
        if (!node.isObject()) {
            throw new IllegalArgumentException("a request must be an object");
        }
        required(node, "num_tokens_generated", Integer.MAX_VALUE);
        return new PodState(
                required(node, "kv_cache_percentage", 1),
                required(node, "input_token_length", Integer.MAX_VALUE),
                required(node, "num_request_waiting", Integer.MAX_VALUE),
                required(node, "num_request_running", Integer.MAX_VALUE),
                required(node, "prefix_cache_score", 1),
                node.path("pod_type").asText(""),
                optional(node, "prefill_tokens_in_flight"));
    }

    private static double required(JsonNode node, String field, double most) {
        if (!node.hasNonNull(field)) {
            throw new IllegalArgumentException(field + " is required");
        }
        return number(node, field, most);
    }

    private static double optional(JsonNode node, String field) {
        return node.hasNonNull(field) ? number(node, field, Integer.MAX_VALUE) : 0;
    }

    private static double number(JsonNode node, String field, double most) {
        JsonNode value = node.get(field);
        if (!value.isNumber() || !(value.asDouble() >= 0 && value.asDouble() <= most)) {
            throw new IllegalArgumentException(field + " must be a number from 0 to " + (long) most);
        }
        return value.asDouble();
    }
}
