/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.actuate.ActuateVerticle;
import io.fpmplanner.service.actuate.ActuationBoard;
import io.fpmplanner.service.actuate.ActuationRoutes;
import io.fpmplanner.service.assets.PageRoutes;
import io.fpmplanner.service.config.ConfigWriter;
import io.fpmplanner.service.config.ExternalMetricsSettings;
import io.fpmplanner.service.config.KedaSettings;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.dynamo.ProposePlugin;
import io.fpmplanner.service.dynamo.RegistryVerticle;
import io.fpmplanner.service.dynamo.VirtualConnectorRoutes;
import io.fpmplanner.service.externalmetrics.ExternalMetricsApi;
import io.fpmplanner.service.externalmetrics.ExternalMetricsVerticle;
import io.fpmplanner.service.frames.HttpFrameSource;
import io.fpmplanner.service.history.History;
import io.fpmplanner.service.history.HistoryRoutes;
import io.fpmplanner.service.http.HealthRoutes;
import io.fpmplanner.service.http.RequestTiming;
import io.fpmplanner.service.http.RestVerticle;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.inputs.InputsRoutes;
import io.fpmplanner.service.keda.KedaVerticle;
import io.fpmplanner.service.llmd.LatencyPredictorRoutes;
import io.fpmplanner.service.metrics.MetricSources;
import io.fpmplanner.service.metrics.RankTotals;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaling.ForecastRoutes;
import io.fpmplanner.service.scaling.OrchestratorRoutes;
import io.fpmplanner.service.source.FrameTap;
import io.fpmplanner.service.source.HostResolver;
import io.fpmplanner.service.source.SourceFeed;
import io.fpmplanner.service.source.SourceSet;
import io.fpmplanner.service.whatif.WhatIfRoutes;
import io.fpmplanner.service.whatif.WorkloadRoutes;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole running service, in this process: sources, planner and REST interface. All methods may be called from any
 * thread but Vert.x's event loops.
 */
public final class PlannerService implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PlannerService.class);
    /** One loop for the planner, one for HTTP; every further listener gets one of its own. */
    private static final int EVENT_LOOPS = 2;

    private static final long START_SECONDS = 10;
    private static final long CLOSE_SECONDS = 2;

    private final ServiceConfig config;
    private final Vertx vertx;
    private final PlanBoard board = new PlanBoard(ServiceView.NO_PLAN);
    private final SourceSet sources;
    private final ServiceMetrics metrics;
    private final Audit audit;
    private final LongSupplier clock;
    private final Planner planner;
    private final @Nullable SavedState state;
    private final PlanningThread planning;
    private final IngestVerticle ingest;
    private final RestVerticle rest;
    private final @Nullable ExternalMetricsVerticle externalMetrics;
    private final @Nullable KedaVerticle keda;
    private final @Nullable ActuateVerticle actuate;
    private final @Nullable RegistryVerticle registry;
    private final List<String> answering = new ArrayList<>();
    private boolean closed;

    private PlannerService(
            ServiceConfig config, List<RouteInstaller> extraRoutes, FrameWatcher watcher, HostResolver.Lookup lookup) {
        this.config = config;
        LongSupplier clock = new ServiceClock();
        boolean listener = config.interfaces().externalMetrics().port().isPresent();
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS + listeners(config))
                .setFileSystemOptions(new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)));
        this.sources = new SourceSet(
                ConfiguredSources.of(config, clock, lookup),
                config.handoffFrames(),
                FrameTap.NONE,
                AllowedWorkers.of(config.pools()));
        List<PoolSettings> pools =
                config.pools().stream().map(PoolConfig::settings).toList();
        History history = new History(pools.size());
        Planner planner = new Planner(pools, config.gpuBudgets(), history::steps);
        ServiceView view = new ServiceView(
                config,
                board,
                sources::endpoints,
                sources::isReceiving,
                clock,
                planner.planMaker().predictor());
        RankTotals totals = new RankTotals();
        this.metrics = new ServiceMetrics(
                new MetricSources(
                        view::plan,
                        sources::endpoints,
                        pools.stream().map(PoolSettings::id).toList(),
                        sources.feeds(),
                        clock),
                totals,
                version());
        if (!config.interfaces().aliases().isEmpty()) {
            metrics.exposeAliases(
                    view::plan,
                    config.interfaces().aliases(),
                    id -> config.pools().stream()
                            .filter(pool -> pool.settings().id().equals(id))
                            .findFirst()
                            .map(PoolConfig::namespace)
                            .orElse(""));
        }
        this.clock = clock;
        this.planner = planner;
        this.planning = new PlanningThread(vertx, planner.planMaker(), board, totals);
        this.ingest = new IngestVerticle(
                planner.observer(),
                planning,
                new IngestVerticle.Inputs(sources, clock, config.tickSeconds(), watcher),
                metrics);
        SuppliedInputs inputs = new SuppliedInputs(ingest, planning, history, clock);
        ScalerSignals signals = new ScalerSignals(config.interfaces().undecided(), clock, view::stalled);
        ActuationBoard actuations = new ActuationBoard();
        ExternalMetricsApi api = new ExternalMetricsApi(view, signals, version());
        this.audit = new Audit(System::nanoTime);
        this.rest = new RestVerticle(
                view,
                metrics,
                signals,
                audit,
                routes(
                        extraRoutes,
                        List.of(
                                api,
                                new WhatIfRoutes(vertx, view),
                                new WorkloadRoutes(view, inputs),
                                new OrchestratorRoutes(view, inputs),
                                new ForecastRoutes(view, inputs),
                                new HistoryRoutes(vertx, view, history),
                                new InputsRoutes(view, sources::rejectSamples),
                                new ActuationRoutes(actuations),
                                new VirtualConnectorRoutes(view, signals),
                                new LatencyPredictorRoutes(view, inputs),
                                new PageRoutes(config.http().maxBodyBytes()))));
        this.externalMetrics = listener
                ? new ExternalMetricsVerticle(
                        config.interfaces().externalMetrics(),
                        List.of(new RequestTiming(metrics), api, new HealthRoutes(view)),
                        metrics.registry(),
                        metrics::unreadable)
                : null;
        this.keda = config.interfaces().keda().port().isPresent()
                ? new KedaVerticle(view, signals, new ProposePlugin(view, signals), audit, metrics.registry())
                : null;
        this.registry = config.interfaces()
                .dynamo()
                .registry()
                .map(where -> new RegistryVerticle(where, version(), metrics.registry()))
                .orElse(null);
        this.actuate = config.pools().stream().anyMatch(pool -> pool.target().isPresent())
                ? new ActuateVerticle(view, signals, inputs::supplyFleet, actuations, metrics.registry(), identity())
                : null;
        this.state = config.state().directory().isPresent()
                ? new SavedState(vertx, ingest, config.state(), metrics.registry())
                : null;
    }

    /** SHA-256 of the whole configuration, which holds names of files and no secrets. */
    private static String digest(ServiceConfig config) {
        try {
            byte[] text = ConfigWriter.yaml(config).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Among planners that stand for election: the pod's name, and what tells two processes of one host apart. */
    private static String identity() {
        return System.getenv().getOrDefault("HOSTNAME", "planner") + "-"
                + ProcessHandle.current().pid() + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }

    private static int listeners(ServiceConfig config) {
        return (config.interfaces().externalMetrics().port().isPresent() ? 1 : 0)
                + (config.interfaces().keda().port().isPresent() ? 1 : 0);
    }

    /** The given ones, the service's own, and those of sources that are fed over HTTP. */
    private List<RouteInstaller> routes(List<RouteInstaller> extraRoutes, List<RouteInstaller> own) {
        List<RouteInstaller> routes = new ArrayList<>(extraRoutes);
        routes.addAll(own);
        for (SourceFeed feed : sources.feeds()) {
            if (feed.source() instanceof RouteInstaller installer) {
                routes.add(installer);
            }
        }
        if (routes.stream().noneMatch(HttpFrameSource.class::isInstance)) {
            routes.add(HttpFrameSource.closed(config));
        }
        return routes;
    }

    /** As {@link #start(ServiceConfig, List)} without routes of one's own. */
    public static PlannerService start(ServiceConfig config) throws StartException {
        return start(config, List.of());
    }

    /**
     * Starts everything and returns when the REST interface listens and the first plan was made. Endpoints that cannot be
     * reached do not keep it from starting.
     *
     * @param extraRoutes installed before the service's own
     * @throws StartException if the address cannot be bound; everything is closed again then
     */
    public static PlannerService start(ServiceConfig config, List<RouteInstaller> extraRoutes) throws StartException {
        return start(config, extraRoutes, FrameWatcher.NONE);
    }

    /** The same; the watcher is shown every frame. */
    public static PlannerService start(ServiceConfig config, List<RouteInstaller> extraRoutes, FrameWatcher watcher)
            throws StartException {
        return start(new PlannerService(config, extraRoutes, watcher, HostResolver.Lookup.system()));
    }

    /** As {@link #start(ServiceConfig)} with another name server for what ZeroMQ connects to. */
    public static PlannerService start(ServiceConfig config, HostResolver.Lookup lookup) throws StartException {
        return start(new PlannerService(config, List.of(), FrameWatcher.NONE, lookup));
    }

    private static PlannerService start(PlannerService service) throws StartException {
        ServiceConfig config = service.config;
        String address = config.http().host() + ":" + config.http().port();
        try {
            // The ports first: when one is taken, nobody should have been subscribed to.
            service.answer(service.rest);
            if (service.externalMetrics != null) {
                ExternalMetricsSettings listener = config.interfaces().externalMetrics();
                address = listener.host() + ":" + listener.port().orElseThrow();
                service.answer(service.externalMetrics);
            }
            if (service.keda != null) {
                KedaSettings scaler = config.interfaces().keda();
                address = scaler.host() + ":" + scaler.port().orElseThrow();
                service.answer(service.keda);
            }
            if (service.state != null) {
                service.state.restore(service.planner, service.clock.getAsLong());
            }
            // The first plan makes it ready, so it comes after all that must listen by then.
            await(service.vertx.deployVerticle(service.ingest), START_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            service.close();
            throw StartException.explain(e, address);
        }
        if (service.state != null) {
            service.state.keep();
        }
        if (service.actuate != null) {
            // After the first plan, which it needs; the API server may come later.
            service.vertx.deployVerticle(
                    service.actuate, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
        }
        if (service.registry != null) {
            // What it announces is served by now; Dynamo's planner may come later.
            service.vertx.deployVerticle(service.registry);
        }
        service.vertx.executeBlocking(() -> {
            service.audit.configured(digest(config), config.pools().size());
            service.metrics.bindRuntime();
            return null;
        });
        log.atInfo()
                .addKeyValue("url", service.url())
                .addKeyValue("pools", config.pools().size())
                .addKeyValue("version", version())
                .log("listening");
        return service;
    }

    /** Has a listener answer from now on. */
    private void answer(Deployable listener) throws ExecutionException, TimeoutException {
        answering.add(await(vertx.deployVerticle(listener), START_SECONDS));
    }

    private static <T> T await(Future<T> future, long seconds) throws ExecutionException, TimeoutException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(e);
        }
    }

    /** The bound port of the REST interface. */
    public int port() {
        return rest.port();
    }

    /** The bound port of the TLS listener for the Kubernetes metrics API; empty without one. */
    public OptionalInt externalMetricsPort() {
        return externalMetrics == null ? OptionalInt.empty() : OptionalInt.of(externalMetrics.port());
    }

    /** The bound port of KEDA's external scaler; empty without one. */
    public OptionalInt kedaPort() {
        return keda == null ? OptionalInt.empty() : OptionalInt.of(keda.port());
    }

    /** Where the REST interface is, e.g. {@code http://127.0.0.1:8080}. */
    public String url() {
        String host = config.http().host();
        String shown = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        String scheme = config.http().access().tls().isPresent() ? "https" : "http";
        return scheme + "://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port();
    }

    /** Where the newest plan hangs. */
    public PlanBoard board() {
        return board;
    }

    /** The configuration in force. */
    public ServiceConfig config() {
        return config;
    }

    /** The event loops, for timers of extra routes. */
    public Vertx vertx() {
        return vertx;
    }

    /**
     * Tells the planner what the orchestrator knows; without it replicas are counted from frames.
     *
     * @param poolIndex the pool, by order of configuration
     * @param ready replicas that serve, &ge; 0
     * @param pending replicas ordered and not ready, &ge; 0
     */
    public void supplyFleet(int poolIndex, int ready, int pending) {
        ingest.supplyFleet(
                poolIndex, new SuppliedFleet(ready, OptionalInt.of(pending), OptionalInt.empty(), Long.MAX_VALUE));
    }

    /** Stops accepting, closes all sockets and ends all threads; takes at most a few seconds. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stopAnswering();
        sources.close();
        if (state != null) {
            state.saveLast();
        }
        try {
            await(vertx.close(), CLOSE_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atWarn().addKeyValue("why", e).log("closing took too long");
        }
        metrics.close();
    }

    /** Before the threads end that answer: what was asked already gets its answer. */
    private void stopAnswering() {
        try {
            await(Future.join(answering.stream().map(vertx::undeploy).toList()), CLOSE_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atDebug().addKeyValue("why", e).log("some requests were not answered any more");
        }
    }

    /** Version from the jar's manifest. */
    public static String version() {
        String version = PlannerService.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
