/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of all rows for people and for programs. */
final class BenchReport {
    private final boolean smoke;
    private final Map<Row, JsonNode> rows = new LinkedHashMap<>();

    /**
     * A report without rows.
     *
     * @param smoke whether it is of a fiftieth of the load, whose times are not judged
     */
    BenchReport(boolean smoke) {
        this.smoke = smoke;
    }

    void add(Row row, JsonNode figures) {
        rows.put(row, figures);
    }

    private static String machine() {
        return "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors";
    }

    String table() {
        StringBuilder text = new StringBuilder(machine()).append('\n');
        if (smoke) {
            text.append(
                    "A fiftieth of the load that the titles name, for a second: only to see that everything runs.\n");
        }
        rows.forEach((row, figures) -> {
            text.append('\n')
                    .append(row.label())
                    .append(": ")
                    .append(row.meaning())
                    .append('\n');
            figures.properties().forEach(figure -> {
                double value = figure.getValue().asDouble();
                text.append(String.format(Locale.ROOT, "  %-46s %14s", figure.getKey(), shown(value)));
                if (!smoke) {
                    limit(row, figure.getKey()).ifPresent(limit -> text.append(verdict(limit, value)));
                }
                text.append('\n');
            });
        });
        return text.toString();
    }

    private static String verdict(Row.Limit limit, double value) {
        return "   at most " + shown(limit.most()) + (limit.isMet(value) ? "" : "   MISSED");
    }

    private static Optional<Row.Limit> limit(Row row, String figure) {
        return row.limits().stream()
                .filter(limit -> limit.figure().equals(figure))
                .findFirst();
    }

    private static String shown(double value) {
        if (value == Math.rint(value) || Math.abs(value) >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
    }

    String json() {
        ObjectNode report =
                JsonNodeFactory.instance.objectNode().put("machine", machine()).put("smoke", smoke);
        ArrayNode list = report.putArray("rows");
        rows.forEach((row, figures) -> {
            ObjectNode entry = list.addObject().put("row", row.label()).put("meaning", row.meaning());
            entry.set("figures", figures);
            ArrayNode limits = entry.putArray("limits");
            for (Row.Limit limit : smoke ? List.<Row.Limit>of() : row.limits()) {
                limits.addObject()
                        .put("figure", limit.figure())
                        .put("most", limit.most())
                        .put("met", limit.isMet(figures.path(limit.figure()).asDouble(Double.NaN)));
            }
        });
        return report.toPrettyString() + "\n";
    }
}
