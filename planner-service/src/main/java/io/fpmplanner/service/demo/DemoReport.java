/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;

/** The demo in words: a line per pool now and then, and a summary at the end. */
final class DemoReport {
    private static final String UNKNOWN = "-";

    private DemoReport() {}

    /** One line for each pool. */
    static String lines(Demo demo) {
        JsonNode document = demo.document();
        StringBuilder text = new StringBuilder();
        for (JsonNode pool : document.path("pools")) {
            String id = pool.path("id").asText();
            text.append(line(document, pool, demo.follower().latest(id))).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static String line(JsonNode document, JsonNode pool, Optional<JsonNode> latest) {
        JsonNode recommendation = latest.orElse(JsonNodeFactory.instance.objectNode());
        JsonNode predicted = recommendation.path("predicted");
        JsonNode measured = pool.path("measured");
        double load = recommendation.path("demand").path("requestsPerSecond").asDouble(Double.NaN);
        return String.format(
                Locale.ROOT,
                "%4.0f s  %-7s %5s req/s  TTFT %6s s predicted %6s s measured  ITL %4s ms predicted %4s ms measured"
                        + "  replicas %s -> %s  %s %s",
                document.path("elapsedSeconds").asDouble(),
                pool.path("id").asText(),
                number("%.1f", load),
                number("%.2f", predicted.path("ttft").path("p50Seconds").asDouble(Double.NaN)),
                number(
                        "%.2f",
                        measured.path("ttft").path("recent").path("p50Seconds").asDouble(Double.NaN)),
                number("%.0f", 1e3 * predicted.path("itl").path("meanSeconds").asDouble(Double.NaN)),
                number(
                        "%.0f",
                        1e3
                                * measured.path("itl")
                                        .path("recent")
                                        .path("p50Seconds")
                                        .asDouble(Double.NaN)),
                replicas(pool),
                recommendation.path("desiredReplicas").asText(UNKNOWN),
                recommendation.path("evidence").asText("NO_DATA"),
                recommendation.path("reason").asText(""));
    }

    private static String replicas(JsonNode pool) {
        int pending = pool.path("pendingReplicas").asInt();
        return pool.path("readyReplicas").asText() + (pending > 0 ? "+" + pending : "");
    }

    private static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : UNKNOWN;
    }

    /** The final document. */
    static ObjectNode summary(Demo demo) {
        ObjectNode document = demo.document();
        document.put("url", demo.url());
        ArrayNode pools = (ArrayNode) document.path("pools");
        for (JsonNode pool : pools) {
            demo.follower()
                    .latest(pool.path("id").asText())
                    .ifPresentOrElse(
                            recommendation -> ((ObjectNode) pool).set("recommendation", recommendation),
                            () -> ((ObjectNode) pool).putNull("recommendation"));
        }
        return document;
    }

    /** The final document in words. */
    static String summaryText(JsonNode summary) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "After %.0f s, since the models were ready (SLO: TTFT %.1f s, ITL %.0f ms):%n",
                summary.path("elapsedSeconds").asDouble(),
                summary.path("slo").path("ttftSeconds").asDouble(),
                1e3 * summary.path("slo").path("itlSeconds").asDouble()));
        for (JsonNode pool : summary.path("pools")) {
            text.append(String.format(Locale.ROOT, "  %-7s", pool.path("id").asText()));
            compared(text, "TTFT", "s", 1, pool.path("comparison").path("ttft"));
            compared(text, "ITL", "ms", 1e3, pool.path("comparison").path("itl"));
            text.append("  desired replicas ")
                    .append(path(pool.path("desiredPath")))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    private static void compared(StringBuilder text, String name, String unit, double scale, JsonNode compared) {
        if (!compared.isObject()) {
            return;
        }
        text.append(String.format(
                Locale.ROOT,
                "  %s median %.3g %s predicted, %.3g %s measured (%+.0f %%), SLO met by %.1f %% of %d",
                name,
                scale * compared.path("predictedP50Seconds").asDouble(),
                unit,
                scale * compared.path("measuredP50Seconds").asDouble(),
                unit,
                100 * compared.path("deviation").asDouble(),
                100 * compared.path("sloMetShare").asDouble(),
                compared.path("count").asLong()));
    }

    private static String path(JsonNode sizes) {
        StringBuilder text = new StringBuilder();
        for (JsonNode size : sizes) {
            text.append(text.isEmpty() ? "" : " ").append(size.asInt());
        }
        return text.isEmpty() ? UNKNOWN : text.toString();
    }
}
