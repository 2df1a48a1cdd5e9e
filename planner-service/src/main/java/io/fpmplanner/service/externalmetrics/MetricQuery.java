/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.externalmetrics.StatusError.Reason;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the series that a request asks for. Threadsafe.
 *
 * <p>An HPA adds up whatever it is given. So one request gets replicas of one pool only, one percentile unless more are asked
 * for, and an error as soon as any of the asked values is not known: leaving it out would count it as 0.
 */
final class MetricQuery {
    private static final int MOST_NAMES = 20;

    private final ServiceView service;
    private final ScalerSignals signals;
    private final Map<String, String> namespaces;

    MetricQuery(ServiceView service, ScalerSignals signals) {
        this.service = service;
        this.signals = signals;
        this.namespaces = service.config().pools().stream()
                .collect(Collectors.toUnmodifiableMap(pool -> pool.settings().id(), pool -> pool.namespace()));
    }

    /**
     * What is asked for.
     *
     * @param namespace of the pool
     * @param metric by name
     * @param selector of labels, as text
     * @param forPeople whether a table is drawn, which may show several pools and what is not known
     */
    record Asked(String namespace, String metric, String selector, boolean forPeople) {}

    /** A found metric and its series, ordered by pool as configured and by percentile. */
    record Found(ExternalMetric metric, PlanView plan, List<Series> series) {}

    Found find(Asked asked) {
        LabelSelector selector = selector(asked.selector());
        ExternalMetric metric = ExternalMetric.named(asked.metric())
                .orElseThrow(() -> new StatusError(
                        Reason.NOT_FOUND,
                        notFound(asked) + "; there are " + String.join(", ", ExternalMetric.names())));
        PlanView plan = service.plan()
                .orElseThrow(() ->
                        new StatusError(Reason.SERVICE_UNAVAILABLE, "the first plan is not made yet; try again soon"));
        List<PoolPlan> pools = pools(plan, asked);
        List<Series> series = pools.stream()
                .flatMap(pool -> series(metric, pool))
                .filter(one -> selector.matches(one.labels()))
                .filter(one -> asked.forPeople()
                        || selector.asks(Series.PERCENTILE)
                        || one.percentile().isEmpty()
                        || one.percentile().equals(ExternalMetric.DEFAULT_PERCENTILE))
                .toList();
        if (series.isEmpty()) {
            throw new StatusError(
                    Reason.NOT_FOUND,
                    notFound(asked) + " with selector " + selector + "; its labels are " + labels(metric, pools));
        }
        if (!asked.forPeople()) {
            requireSums(metric, series);
        }
        return new Found(metric, plan, series);
    }

    private static LabelSelector selector(String text) {
        try {
            return LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw new StatusError(Reason.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static String notFound(Asked asked) {
        return "the server could not find the metric " + asked.metric() + " for namespaces/" + asked.namespace();
    }

    private List<PoolPlan> pools(PlanView plan, Asked asked) {
        List<PoolPlan> pools = plan.pools().stream()
                .filter(pool -> {
                    String namespace = namespaces.getOrDefault(pool.id(), "");
                    return namespace.isEmpty() || namespace.equals(asked.namespace());
                })
                .toList();
        if (pools.isEmpty()) {
            throw new StatusError(
                    Reason.NOT_FOUND,
                    notFound(asked) + "; pools are shown in namespaces "
                            + names(namespaces.values().stream().distinct().sorted()));
        }
        return pools;
    }

    private Stream<Series> series(ExternalMetric metric, PoolPlan pool) {
        return metric.read(signals, pool).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Series(pool, entry.getKey(), entry.getValue()));
    }

    /** Refuses what would be wrong when it is added up. */
    private static void requireSums(ExternalMetric metric, List<Series> series) {
        if (metric.isReplicas() && series.size() > 1) {
            throw new StatusError(
                    Reason.BAD_REQUEST,
                    series.size() + " pools match, whose " + metric.metricName()
                            + " an HPA would add up; select one by pool=NAME of "
                            + names(series.stream().map(one -> one.plan().id())));
        }
        for (Series one : series) {
            if (one.signal() instanceof Signal.Unknown unknown) {
                throw new StatusError(Reason.SERVICE_UNAVAILABLE, unknown.why());
            }
        }
    }

    private String labels(ExternalMetric metric, List<PoolPlan> pools) {
        return names(pools.stream()
                .flatMap(pool -> series(metric, pool))
                .map(one -> one.labels().toString().replace(", ", ",")));
    }

    private static String names(Stream<String> names) {
        List<String> all = names.toList();
        String shown = all.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return all.size() > MOST_NAMES ? shown + " and " + (all.size() - MOST_NAMES) + " more" : shown;
    }
}
