/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.core.pool.EngineLimits;
import java.util.List;
import java.util.OptionalLong;

/** Reads the body {@code {inputTokens, cachedTokens?, workerId?}}; whatever is wrong becomes a {@link Problem}. */
final class PredictionRequest {
    private static final List<String> FIELDS = List.of("inputTokens", "cachedTokens", "workerId");
    private static final String EXAMPLE = "{\"inputTokens\": 1000}";

    private PredictionRequest() {}

    /** No longer a prompt than a rank of the pool accepts. */
    static LatencyQuery parse(byte[] bytes, EngineLimits limits) {
        JsonBody body = JsonBody.of(bytes, EXAMPLE, FIELDS);
        long longest = Math.min(
                LatencyQuery.MAX_INPUT_TOKENS, limits.longestRequestTokens().orElse(LatencyQuery.MAX_INPUT_TOKENS));
        long inputTokens = body.whole("inputTokens", 1, longest).orElseThrow(() -> body.missing("inputTokens"));
        OptionalLong cachedTokens = body.whole("cachedTokens", 0, inputTokens);
        return new LatencyQuery(inputTokens, cachedTokens, body.text("workerId"));
    }
}
