/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.actuate.ActuateVerticle;
import io.fpmplanner.service.actuate.ActuationBoard;
import io.fpmplanner.service.config.ConfigWriter;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.dynamo.RegistryVerticle;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.source.HostResolver;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole running service, in this process: sources, planner and REST interface. All methods may be called from any
 * thread but Vert.x's event loops.
 */
public final class PlannerService implements AutoCloseable {
    /** What the name of the thread begins with that makes plans, for measurements. */
    public static final String PLANNING_THREAD = "planner-plan";

    private static final Logger log = LoggerFactory.getLogger(PlannerService.class);
    private static final long START_SECONDS = 10;
    private static final long CLOSE_SECONDS = 2;

    private final PlannerCore core;
    private final Audit audit = new Audit(System::nanoTime);
    private final Listeners listeners;
    private final @Nullable SavedState state;
    private final @Nullable ActuateVerticle actuate;
    private final @Nullable RegistryVerticle registry;
    private boolean closed;

    private PlannerService(PlannerCore core, List<RouteInstaller> extraRoutes) {
        this.core = core;
        ServiceConfig config = core.config();
        MeterRegistry meters = core.metrics().registry();
        ActuationBoard actuations = new ActuationBoard();
        this.listeners = new Listeners(core, audit, actuations, extraRoutes);
        this.registry = config.interfaces()
                .dynamo()
                .registry()
                .map(where -> new RegistryVerticle(where, version(), meters))
                .orElse(null);
        this.actuate = config.pools().stream().anyMatch(pool -> pool.target().isPresent())
                ? new ActuateVerticle(
                        core.view(), core.signals(), core.inputs()::supplyFleet, actuations, meters, identity())
                : null;
        this.state = core.state().orElse(null);
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
        return start(config, extraRoutes, new PlannerCore(config, watcher, HostResolver.Lookup.system()));
    }

    /** As {@link #start(ServiceConfig)} with another name server for what ZeroMQ connects to. */
    public static PlannerService start(ServiceConfig config, HostResolver.Lookup lookup) throws StartException {
        return start(config, List.of(), new PlannerCore(config, FrameWatcher.NONE, lookup));
    }

    private static PlannerService start(ServiceConfig config, List<RouteInstaller> extraRoutes, PlannerCore core)
            throws StartException {
        PlannerService service = new PlannerService(core, extraRoutes);
        try {
            // The ports first: when one is taken, nobody should have been subscribed to.
            service.listeners.start();
            if (service.state != null) {
                service.state.restore(core.planner(), core.clock().getAsLong());
            }
            // The first plan makes it ready, so it comes after all that must listen by then.
            Waiting.await(core.vertx().deployVerticle(core.ingest()), START_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            service.close();
            throw StartException.explain(e, service.listeners.address());
        }
        service.follow();
        log.atInfo()
                .addKeyValue("url", service.url())
                .addKeyValue("pools", config.pools().size())
                .addKeyValue("version", version())
                .log("listening");
        return service;
    }

    /** What goes on from the first plan. */
    private void follow() {
        Vertx vertx = core.vertx();
        if (state != null) {
            state.keep();
        }
        if (actuate != null) {
            // The API server may come later.
            vertx.deployVerticle(actuate, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
        }
        if (registry != null) {
            // What it announces is served by now; Dynamo's planner may come later.
            vertx.deployVerticle(registry);
        }
        vertx.executeBlocking(() -> {
            audit.configured(digest(core.config()), core.config().pools().size());
            core.metrics().bindRuntime();
            return null;
        });
    }

    /** The bound port of the REST interface. */
    public int port() {
        return listeners.port();
    }

    /** The bound port of the TLS listener for the Kubernetes metrics API; empty without one. */
    public OptionalInt externalMetricsPort() {
        return listeners.externalMetricsPort();
    }

    /** The bound port of KEDA's external scaler; empty without one. */
    public OptionalInt kedaPort() {
        return listeners.kedaPort();
    }

    /** Where the REST interface is, e.g. {@code http://127.0.0.1:8080}. */
    public String url() {
        ServiceConfig config = core.config();
        String host = config.http().host();
        String shown = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        String scheme = config.http().access().tls().isPresent() ? "https" : "http";
        return scheme + "://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port();
    }

    /** Where the newest plan hangs. */
    public PlanBoard board() {
        return core.board();
    }

    /** The configuration in force. */
    public ServiceConfig config() {
        return core.config();
    }

    /** The event loops, for timers of extra routes. */
    public Vertx vertx() {
        return core.vertx();
    }

    /**
     * Tells the planner what the orchestrator knows; without it replicas are counted from frames.
     *
     * @param poolIndex the pool, by order of configuration
     * @param ready replicas that serve, &ge; 0
     * @param pending replicas ordered and not ready, &ge; 0
     */
    public void supplyFleet(int poolIndex, int ready, int pending) {
        core.ingest()
                .supplyFleet(
                        poolIndex,
                        new SuppliedFleet(ready, OptionalInt.of(pending), OptionalInt.empty(), Long.MAX_VALUE));
    }

    /** Stops accepting, closes all sockets and ends all threads; takes at most a few seconds. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.stop();
        core.sources().close();
        if (state != null) {
            state.saveLast();
        }
        try {
            Waiting.await(core.vertx().close(), CLOSE_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atWarn().addKeyValue("why", e).log("closing took too long");
        }
        core.metrics().close();
    }

    /** Version from the jar's manifest. */
    public static String version() {
        String version = PlannerService.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
