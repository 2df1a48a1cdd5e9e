/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.pool.TokenLengths;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;
import java.util.List;
import java.util.Optional;

/**
 * Lengths in JSON: a number if all are alike, {@code {"mean", "standardDeviation"}}, or {@code {"histogram": [{"upToTokens",
 * "weight"}]}}.
 */
final class LengthsJson {
    private static final List<String> FIELDS = List.of("mean", "standardDeviation", "histogram");
    private static final List<String> BIN = List.of("upToTokens", "weight");
    private static final double MOST_VARIATION = 10;

    private LengthsJson() {}

    static Optional<TokenLengths> read(JsonBody body, String field) {
        if (!body.has(field)) {
            return Optional.empty();
        }
        if (!body.isObject(field)) {
            return Optional.of(TokenLengths.fixed(
                    body.number(field, 1, TokenLengths.MAX_TOKENS).orElseThrow(() -> body.missing(field))));
        }
        JsonBody lengths = body.child(field, FIELDS);
        if (lengths.has("histogram")) {
            if (lengths.has("mean") || lengths.has("standardDeviation")) {
                throw Problem.field(
                        field, field + " must have either a histogram, or a mean and its standardDeviation, not both");
            }
            return Optional.of(histogram(body, field, lengths));
        }
        double mean = lengths.number("mean", 1, TokenLengths.MAX_TOKENS).orElseThrow(() -> lengths.missing("mean"));
        double deviation =
                lengths.number("standardDeviation", 0, MOST_VARIATION * mean).orElse(0);
        return Optional.of(TokenLengths.spread(mean, deviation));
    }

    private static TokenLengths histogram(JsonBody body, String field, JsonBody lengths) {
        try {
            return new TokenLengths.Histogram(
                    lengths.children("histogram", TokenLengths.Histogram.MAX_BINS, BIN).stream()
                            .map(LengthsJson::bin)
                            .toList());
        } catch (IllegalArgumentException e) {
            throw body.wrong(field, e);
        }
    }

    private static TokenLengths.Bin bin(JsonBody bin) {
        return new TokenLengths.Bin(
                bin.number("upToTokens", 1, TokenLengths.MAX_TOKENS).orElseThrow(() -> bin.missing("upToTokens")),
                bin.number("weight", 0, 1e15).orElseThrow(() -> bin.missing("weight")));
    }

    static void write(ObjectNode node, String field, TokenLengths lengths) {
        node.putObject(field).put("mean", lengths.mean()).put("standardDeviation", lengths.standardDeviation());
    }
}
