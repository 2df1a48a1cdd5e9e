/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.history.History;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.metrics.MetricSources;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.source.FrameTap;
import io.fpmplanner.service.source.HostResolver;
import io.fpmplanner.service.source.SourceSet;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What receives, learns and plans, and what may be read of it, without anything that listens. Put together here, started by
 * {@link PlannerService}.
 */
final class PlannerCore {
    /** One loop for the planner, one for HTTP; every further listener gets one of its own. */
    private static final int EVENT_LOOPS = 2;

    private final ServiceConfig config;
    private final LongSupplier clock = new ServiceClock();
    private final PlanBoard board = new PlanBoard(ServiceView.NO_PLAN);
    private final Vertx vertx;
    private final SourceSet sources;
    private final History history;
    private final Planner planner;
    private final ServiceView view;
    private final ServiceMetrics metrics;
    private final IngestVerticle ingest;
    private final SuppliedInputs inputs;
    private final ScalerSignals signals;

    PlannerCore(ServiceConfig config, FrameWatcher watcher, HostResolver.Lookup lookup) {
        this.config = config;
        List<PoolSettings> pools =
                config.pools().stream().map(PoolConfig::settings).toList();
        vertx = vertx(config);
        sources = new SourceSet(
                ConfiguredSources.of(config, clock, lookup),
                config.handoffFrames(),
                FrameTap.NONE,
                AllowedWorkers.of(config.pools()));
        history = new History(pools.size());
        planner = new Planner(pools, config.gpuBudgets(), history::steps);
        view = new ServiceView(
                config,
                board,
                sources::endpoints,
                sources::isReceiving,
                clock,
                planner.planMaker().predictor());
        metrics = metrics(pools);
        PlanningThread planning = new PlanningThread(vertx, planner.planMaker(), board);
        ingest = new IngestVerticle(
                planner.observer(),
                planning,
                new IngestVerticle.Inputs(sources, clock, config.tickSeconds(), watcher),
                metrics);
        inputs = new SuppliedInputs(ingest, planning, history, clock);
        signals = new ScalerSignals(config.interfaces().undecided(), clock, view::stalled);
    }

    private static Vertx vertx(ServiceConfig config) {
        int listeners = (config.interfaces().externalMetrics().port().isPresent() ? 1 : 0)
                + (config.interfaces().keda().port().isPresent() ? 1 : 0);
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS + listeners)
                .setFileSystemOptions(new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)));
    }

    private ServiceMetrics metrics(List<PoolSettings> pools) {
        MetricSources read = new MetricSources(
                view::plan,
                sources::endpoints,
                pools.stream().map(PoolSettings::id).toList(),
                sources.feeds(),
                clock);
        ServiceMetrics made = new ServiceMetrics(read, PlannerService.version());
        if (!config.interfaces().aliases().isEmpty()) {
            made.exposeAliases(view::plan, config.interfaces().aliases(), this::namespace);
        }
        return made;
    }

    private String namespace(String poolId) {
        return config.pools().stream()
                .filter(pool -> pool.settings().id().equals(poolId))
                .findFirst()
                .map(PoolConfig::namespace)
                .orElse("");
    }

    /** What keeps it over a restart, where a directory for that is configured. */
    Optional<SavedState> state() {
        return config.state()
                .directory()
                .map(directory -> new SavedState(vertx, ingest, config.state(), metrics.registry()));
    }

    ServiceConfig config() {
        return config;
    }

    LongSupplier clock() {
        return clock;
    }

    /** Where the newest plan hangs. */
    PlanBoard board() {
        return board;
    }

    Vertx vertx() {
        return vertx;
    }

    SourceSet sources() {
        return sources;
    }

    History history() {
        return history;
    }

    Planner planner() {
        return planner;
    }

    /** What may be read. */
    ServiceView view() {
        return view;
    }

    ServiceMetrics metrics() {
        return metrics;
    }

    /** Takes frames and makes plans once it is deployed. */
    IngestVerticle ingest() {
        return ingest;
    }

    /** Takes what clients and orchestrators say. */
    SuppliedInputs inputs() {
        return inputs;
    }

    /** What scalers are told. */
    ScalerSignals signals() {
        return signals;
    }
}
