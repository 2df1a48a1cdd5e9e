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
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers the points of one scrape by metric. A metric without points is left out. */
final class Families {
    private static final Logger log = LoggerFactory.getLogger(Families.class);

    private final Set<PlanMetric> faulty;
    private final Map<PlanMetric, Map<Labels, Double>> points = new EnumMap<>(PlanMetric.class);

    /**
     * Points of one scrape.
     *
     * @param faulty metrics that were complained of before; threadsafe
     */
    Families(Set<PlanMetric> faulty) {
        this.faulty = faulty;
    }

    /**
     * Adds a value; one that is not finite is not known and left out. So is a counter below zero, which is a fault:
     * Prometheus would refuse it, and everything else would be lost with it.
     */
    void add(PlanMetric metric, double value, String... labelValues) {
        if (metric.isCounter() && value < 0) {
            if (faulty.add(metric)) {
                log.atError()
                        .addKeyValue("metric", metric.exposedName())
                        .addKeyValue("labels", List.of(labelValues))
                        .addKeyValue("value", value)
                        .log("counter below zero; it is left out");
            }
        } else if (Double.isFinite(value)) {
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
