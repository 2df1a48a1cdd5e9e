/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.scaler.Signal;
import java.time.Instant;

/** The documents of the API, keys in the order in which Kubernetes' own servers write them. */
final class Documents {
    static final String GROUP = "external.metrics.k8s.io";
    static final String VERSION = "v1beta1";
    private static final String GROUP_VERSION = GROUP + "/" + VERSION;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private Documents() {}

    static ObjectNode groupList() {
        ObjectNode node = object("APIGroupList", "v1");
        group(node.putArray("groups").addObject());
        return node;
    }

    static ObjectNode group() {
        ObjectNode node = object("APIGroup", "v1");
        group(node);
        return node;
    }

    private static void group(ObjectNode node) {
        node.put("name", GROUP);
        version(node.putArray("versions").addObject());
        version(node.putObject("preferredVersion"));
    }

    private static void version(ObjectNode node) {
        node.put("groupVersion", GROUP_VERSION).put("version", VERSION);
    }

    static ObjectNode resourceList() {
        ObjectNode node = object("APIResourceList", "v1").put("groupVersion", GROUP_VERSION);
        ArrayNode resources = node.putArray("resources");
        for (ExternalMetric metric : ExternalMetric.values()) {
            resources
                    .addObject()
                    .put("name", metric.metricName())
                    .put("singularName", "")
                    .put("namespaced", true)
                    .put("kind", metric.kind())
                    .putArray("verbs")
                    .add("get");
        }
        return node;
    }

    static ObjectNode values(MetricQuery.Found found) {
        ObjectNode node = object("ExternalMetricValueList", GROUP_VERSION);
        node.putObject("metadata");
        ArrayNode items = node.putArray("items");
        String timestamp = Instant.ofEpochSecond(found.plan().nowNanos() / NANOS_PER_SECOND)
                .toString();
        for (Series series : found.series()) {
            if (series.signal() instanceof Signal.Known known) {
                ObjectNode item =
                        items.addObject().put("metricName", found.metric().metricName());
                ObjectNode labels = item.putObject("metricLabels");
                series.labels().forEach(labels::put);
                item.put("timestamp", timestamp)
                        .put("value", Quantity.ofThousandths(known.value()).toString());
            }
        }
        return node;
    }

    /** For {@code kubectl get}: several pools at once, and why a value is not known. */
    static ObjectNode table(MetricQuery.Found found, String namespace, String version) {
        ObjectNode node = object("Table", "meta.k8s.io/" + version);
        node.putObject("metadata");
        boolean percentiles = found.metric().hasPercentiles();
        ArrayNode columns = node.putArray("columnDefinitions");
        column(columns, "Name", "name", "The pool.");
        column(columns, "Role", "", "What its workers compute.");
        if (percentiles) {
            column(columns, "Percentile", "", "Of the predicted distribution.");
        }
        column(columns, "Value", "", "The value.");
        column(columns, "Status", "", "Verdict on the pool's size and its reason.");
        ArrayNode rows = node.putArray("rows");
        for (Series series : found.series()) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells").add(series.plan().id()).add(series.role());
            if (percentiles) {
                cells.add(series.percentile());
            }
            cells.add(cell(series.signal())).add(status(series));
            ObjectNode object = row.putObject("object")
                    .put("kind", "PartialObjectMetadata")
                    .put("apiVersion", "meta.k8s.io/" + version);
            ObjectNode metadata = object.putObject("metadata")
                    .put("name", series.plan().id())
                    .put("namespace", namespace)
                    .putNull("creationTimestamp");
            ObjectNode labels = metadata.putObject("labels");
            series.labels().forEach(labels::put);
        }
        return node;
    }

    private static void column(ArrayNode columns, String name, String format, String description) {
        columns.addObject()
                .put("name", name)
                .put("type", "string")
                .put("format", format)
                .put("description", description)
                .put("priority", 0);
    }

    private static String cell(Signal signal) {
        return signal instanceof Signal.Known known
                ? Quantity.ofThousandths(known.value())
                                .value()
                                .stripTrailingZeros()
                                .toPlainString()
                        + (known.held() ? " (held)" : "")
                : "<unknown>";
    }

    private static String status(Series series) {
        return series.plan().recommendation().status() + " ("
                + series.plan().recommendation().reason() + ")";
    }

    /** What kubectl asks a server for, to know which API conventions it follows. */
    static ObjectNode version(String plannerVersion) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("major", "1")
                .put("minor", "30")
                .put("gitVersion", "v1.30.0+fpm-planner-" + plannerVersion)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "")
                .put("goVersion", "")
                .put("compiler", "")
                .put("platform", System.getProperty("os.name") + "/" + System.getProperty("os.arch"));
    }

    /** Tells aggregators that there are no further schemas. */
    static ObjectNode openApiV2(String plannerVersion) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
        node.putObject("info").put("title", "fpm-planner external metrics").put("version", plannerVersion);
        node.putObject("paths");
        return node;
    }

    static ObjectNode openApiV3() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.putObject("paths");
        return node;
    }

    private static ObjectNode object(String kind, String apiVersion) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind).put("apiVersion", apiVersion);
    }
}
