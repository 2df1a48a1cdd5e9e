/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.service.config.InterfaceSettings.AliasSet;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The registry behind {@code /metrics}. Threadsafe. */
public final class ServiceMetrics implements AutoCloseable {
    private final PrometheusRegistry prometheus = new PrometheusRegistry();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, prometheus, Clock.SYSTEM);
    private final PrometheusRegistry ranks = new PrometheusRegistry();
    private final PrometheusMeterRegistry rankRegistry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, ranks, Clock.SYSTEM);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final Timer tick;
    private final Timer pause;
    private final Counter failures;

    /** Registers everything. */
    public ServiceMetrics(MetricSources sources, String version) {
        ranks.register(new RankCollector(sources));
        prometheus.register(new PlanCollector(sources, version));
        tick = Timer.builder("fpm_planner.tick.duration")
                .description("Time to make one plan.")
                .publishPercentileHistogram(false)
                .register(registry);
        pause = Timer.builder("fpm_planner.tick.pause")
                .description("Time for which no frames are taken in while one pool is looked at.")
                .publishPercentileHistogram(false)
                .register(registry);
        failures = Counter.builder("fpm_planner.planning.failures")
                .description("Frames or ticks that the planner failed on by a fault of its own.")
                .register(registry);
    }

    /**
     * Exposes plans under the names of others too.
     *
     * @param plan the newest, empty before the first
     * @param sets which names
     * @param namespaceOf of a pool by its id; empty when it has none
     */
    public void exposeAliases(
            Supplier<Optional<PlanView>> plan, Set<AliasSet> sets, Function<String, String> namespaceOf) {
        prometheus.register(new AliasCollector(plan, sets, namespaceOf));
    }

    /** Adds the JVM's and the process's own metrics; takes a moment, so it is done once the service answers. */
    public void bindRuntime() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Counts one plan. */
    public void tick(long durationNanos) {
        tick.record(durationNanos, TimeUnit.NANOSECONDS);
    }

    /** Counts one look at a pool, for which frames had to wait. */
    public void pause(long durationNanos) {
        pause.record(durationNanos, TimeUnit.NANOSECONDS);
    }

    /** Counts one failure of the planner itself. */
    public void planningFailure() {
        failures.increment();
    }

    /** Counts one answered request; the route is its template, so that labels are bounded. */
    public void request(String route, String method, int status, long durationNanos) {
        String boundedMethod = KNOWN_METHODS.contains(method) ? method : "other";
        Timer.builder("fpm_planner.http.request.duration")
                .description("Time from request to answer.")
                .tag("route", route)
                .tag("method", boundedMethod)
                .tag("status", Integer.toString(status))
                .register(registry)
                .record(durationNanos, TimeUnit.NANOSECONDS);
    }

    /** Counts one request that could not be taken apart as HTTP and was answered with that status. */
    public void unreadable(int status) {
        request("unreadable", "other", status, 0);
    }

    private static final java.util.Set<String> KNOWN_METHODS =
            java.util.Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

    /** Where parts of the service register metrics of their own. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Writes the exposition in the format of that content type, in UTF-8. */
    public void scrape(String contentType, OutputStream into) throws IOException {
        registry.scrape(into, contentType);
    }

    /** Writes the exposition of single ranks and endpoints. */
    public void scrapeRanks(String contentType, OutputStream into) throws IOException {
        rankRegistry.scrape(into, contentType);
    }

    @Override
    public void close() {
        rankRegistry.close();
        garbageCollection.close();
        registry.close();
    }
}
