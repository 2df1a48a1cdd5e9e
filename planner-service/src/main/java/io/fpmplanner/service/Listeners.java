/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.actuate.ActuationBoard;
import io.fpmplanner.service.actuate.ActuationRoutes;
import io.fpmplanner.service.assets.PageRoutes;
import io.fpmplanner.service.config.ExternalMetricsSettings;
import io.fpmplanner.service.config.InterfaceSettings;
import io.fpmplanner.service.config.KedaSettings;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.dynamo.ProposePlugin;
import io.fpmplanner.service.dynamo.VirtualConnectorRoutes;
import io.fpmplanner.service.externalmetrics.ExternalMetricsApi;
import io.fpmplanner.service.externalmetrics.ExternalMetricsVerticle;
import io.fpmplanner.service.frames.HttpFrameSource;
import io.fpmplanner.service.history.HistoryRoutes;
import io.fpmplanner.service.http.HealthRoutes;
import io.fpmplanner.service.http.RequestTiming;
import io.fpmplanner.service.http.RestVerticle;
import io.fpmplanner.service.http.RouteInstaller;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.inputs.InputsRoutes;
import io.fpmplanner.service.keda.KedaVerticle;
import io.fpmplanner.service.llmd.LatencyPredictorRoutes;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaling.ForecastRoutes;
import io.fpmplanner.service.scaling.OrchestratorRoutes;
import io.fpmplanner.service.source.SourceFeed;
import io.fpmplanner.service.whatif.WhatIfRoutes;
import io.fpmplanner.service.whatif.WorkloadRoutes;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that answers: the REST interface and, where configured, the Kubernetes metrics API and KEDA's gRPC port. */
final class Listeners {
    private static final long START_SECONDS = 10;
    private static final long CLOSE_SECONDS = 2;
    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final PlannerCore core;
    private final RestVerticle rest;
    private final @Nullable ExternalMetricsVerticle externalMetrics;
    private final @Nullable KedaVerticle keda;
    private final List<String> answering = new ArrayList<>();
    private String address = "";

    /**
     * Of one planner.
     *
     * @param audit told who changed something or was refused
     * @param actuations what was set on the cluster, to be shown
     * @param extraRoutes installed before the service's own
     */
    Listeners(PlannerCore core, Audit audit, ActuationBoard actuations, List<RouteInstaller> extraRoutes) {
        this.core = core;
        ServiceView view = core.view();
        ServiceMetrics metrics = core.metrics();
        ScalerSignals signals = core.signals();
        ExternalMetricsApi api = new ExternalMetricsApi(view, signals, PlannerService.version());
        List<RouteInstaller> routes = new ArrayList<>(extraRoutes);
        routes.add(api);
        routes.addAll(ownRoutes(actuations));
        routes.addAll(frameRoutes());
        rest = new RestVerticle(view, metrics, signals, audit, routes);
        InterfaceSettings interfaces = core.config().interfaces();
        externalMetrics = interfaces.externalMetrics().port().isPresent()
                ? new ExternalMetricsVerticle(
                        interfaces.externalMetrics(),
                        List.of(new RequestTiming(metrics), api, new HealthRoutes(view)),
                        metrics.registry(),
                        metrics::unreadable)
                : null;
        keda = interfaces.keda().port().isPresent()
                ? new KedaVerticle(view, signals, new ProposePlugin(view, signals), audit, metrics.registry())
                : null;
    }

    private List<RouteInstaller> ownRoutes(ActuationBoard actuations) {
        ServiceView view = core.view();
        SuppliedInputs inputs = core.inputs();
        return List.of(
                new WhatIfRoutes(core.vertx(), view),
                new WorkloadRoutes(view, inputs),
                new OrchestratorRoutes(view, inputs),
                new ForecastRoutes(view, inputs),
                new HistoryRoutes(core.vertx(), view, core.history()),
                new InputsRoutes(view, core.sources()::rejectSamples),
                new ActuationRoutes(actuations),
                new VirtualConnectorRoutes(view, core.signals()),
                new LatencyPredictorRoutes(view, inputs),
                new PageRoutes(core.config().http().maxBodyBytes()));
    }

    /** Those of sources that are fed over HTTP; if there is none, of one that says so. */
    private List<RouteInstaller> frameRoutes() {
        List<RouteInstaller> routes = new ArrayList<>();
        for (SourceFeed feed : core.sources().feeds()) {
            if (feed.source() instanceof RouteInstaller installer) {
                routes.add(installer);
            }
        }
        if (routes.stream().noneMatch(HttpFrameSource.class::isInstance)) {
            routes.add(HttpFrameSource.closed(core.config()));
        }
        return routes;
    }

    /** Opens all ports, one after the other; {@link #address} tells which one it was if it fails. */
    void start() throws ExecutionException, TimeoutException {
        ServiceConfig config = core.config();
        open(rest, config.http().host(), config.http().port());
        if (externalMetrics != null) {
            ExternalMetricsSettings settings = config.interfaces().externalMetrics();
            open(externalMetrics, settings.host(), settings.port().orElseThrow());
        }
        if (keda != null) {
            KedaSettings settings = config.interfaces().keda();
            open(keda, settings.host(), settings.port().orElseThrow());
        }
    }

    private void open(Deployable listener, String host, int port) throws ExecutionException, TimeoutException {
        address = host + ":" + port;
        answering.add(Waiting.await(core.vertx().deployVerticle(listener), START_SECONDS));
    }

    /** Before the threads end that answer: what was asked already gets its answer. */
    void stop() {
        try {
            Waiting.await(
                    Future.join(answering.stream().map(core.vertx()::undeploy).toList()), CLOSE_SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atDebug().addKeyValue("why", e).log("some requests were not answered any more");
        }
    }

    /** What was opened last, host and port. */
    String address() {
        return address;
    }

    /** The bound port of the REST interface. */
    int port() {
        return rest.port();
    }

    /** The bound port of the TLS listener for the Kubernetes metrics API; empty without one. */
    OptionalInt externalMetricsPort() {
        return externalMetrics == null ? OptionalInt.empty() : OptionalInt.of(externalMetrics.port());
    }

    /** The bound port of KEDA's external scaler; empty without one. */
    OptionalInt kedaPort() {
        return keda == null ? OptionalInt.empty() : OptionalInt.of(keda.port());
    }
}
