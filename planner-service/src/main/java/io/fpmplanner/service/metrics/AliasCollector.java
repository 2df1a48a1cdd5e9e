/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.config.InterfaceSettings.AliasSet;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The newest plan under the names of other planners, so that their boards and the HPAs made for them work as they are. What
 * is not known is absent here too.
 */
final class AliasCollector implements MultiCollector {
    private final Supplier<Optional<PlanView>> plan;
    private final Set<AliasSet> sets;
    private final Function<String, String> namespaceOf;

    /**
     * Reads plans.
     *
     * @param plan the newest, empty before the first
     * @param sets which names
     * @param namespaceOf of a pool by its id; empty when it has none
     */
    AliasCollector(Supplier<Optional<PlanView>> plan, Set<AliasSet> sets, Function<String, String> namespaceOf) {
        this.plan = plan;
        this.sets = sets;
        this.namespaceOf = namespaceOf;
    }

    @Override
    public MetricSnapshots collect() {
        Points points = new Points();
        plan.get()
                .ifPresent(view -> view.pools().forEach(pool -> {
                    if (sets.contains(AliasSet.WVA)) {
                        wva(points, pool);
                    }
                    if (sets.contains(AliasSet.DYNAMO)) {
                        DynamoAliases.add(points, pool);
                    }
                }));
        return points.snapshots();
    }

    private void wva(Points points, PoolPlan pool) {
        Labels labels =
                Labels.of("variant_name", pool.id(), "namespace", namespaceOf.apply(pool.id()), "accelerator_type", "");
        double desired = pool.recommendation().desired().orElse(-1);
        double current =
                Known.replicas(pool.pool()) ? pool.recommendation().fleet().current() : -1;
        if (desired >= 0) {
            points.put("wva_desired_replicas", "Replicas to have.", labels, desired);
        }
        if (current >= 0) {
            points.put("wva_current_replicas", "Replicas known to be there.", labels, current);
        }
        if (desired >= 0 && current > 0) {
            points.put("wva_desired_ratio", "Desired over current replicas.", labels, desired / current);
        }
    }

    /** The points of one scrape by name. */
    static final class Points {
        private record Family(String help, Map<Labels, Double> values) {}

        private final Map<String, Family> families = new TreeMap<>();

        void put(String name, String help, Labels labels, double value) {
            merge(name, help, labels, value, (before, now) -> now);
        }

        /** Adds a value, or joins it with the one that is there already. What is not finite is left out. */
        void merge(String name, String help, Labels labels, double value, DoubleBinaryOperator join) {
            if (Double.isFinite(value)) {
                families.computeIfAbsent(name, any -> new Family(help, new LinkedHashMap<>()))
                        .values()
                        .merge(labels, value, join::applyAsDouble);
            }
        }

        MetricSnapshots snapshots() {
            MetricSnapshots.Builder all = MetricSnapshots.builder();
            families.forEach((name, family) -> {
                GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(family.help());
                family.values()
                        .forEach((labels, value) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                                .labels(labels)
                                .value(value)
                                .build()));
                all.metricSnapshot(gauge.build());
            });
            return all.build();
        }
    }
}
