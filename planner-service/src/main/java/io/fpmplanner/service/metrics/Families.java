/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Gathers the points of one scrape by metric. A metric without points is left out. */
final class Families {
    private final Map<PlanMetric, Map<Labels, Double>> points = new EnumMap<>(PlanMetric.class);

    /** Adds a value; one that is not finite is not known and left out. */
    void add(PlanMetric metric, double value, String... labelValues) {
        if (Double.isFinite(value)) {
            Labels labels = Labels.of(metric.labels().toArray(String[]::new), labelValues);
            points.computeIfAbsent(metric, any -> new LinkedHashMap<>()).merge(labels, value, Double::sum);
        }
    }

    /** Adds a count; beyond 2^53 it is rounded, which no count reaches. */
    void add(PlanMetric metric, long count, String... labelValues) {
        add(metric, (double) count, labelValues);
    }

    void add(PlanMetric metric, OptionalDouble value, String... labelValues) {
        add(metric, value.orElse(Double.NaN), labelValues);
    }

    void add(PlanMetric metric, OptionalInt value, String... labelValues) {
        add(metric, value.isPresent() ? value.getAsInt() : Double.NaN, labelValues);
    }

    MetricSnapshots snapshots() {
        return new MetricSnapshots(points.entrySet().stream()
                .map(entry -> snapshot(entry.getKey(), entry.getValue()))
                .toList());
    }

    private static MetricSnapshot snapshot(PlanMetric metric, Map<Labels, Double> values) {
        if (metric.isCounter()) {
            CounterSnapshot.Builder builder =
                    CounterSnapshot.builder().name(metric.familyName()).help(metric.meaning());
            values.forEach((labels, value) -> builder.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(labels)
                    .value(value)
                    .build()));
            return builder.build();
        }
        GaugeSnapshot.Builder builder =
                GaugeSnapshot.builder().name(metric.familyName()).help(metric.meaning());
        values.forEach((labels, value) -> builder.dataPoint(
                GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
        return builder.build();
    }
}
