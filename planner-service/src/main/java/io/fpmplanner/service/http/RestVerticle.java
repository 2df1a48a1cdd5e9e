/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.config.InterfaceSettings.AliasSet;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The HTTP server with all its routes, on an event loop of its own. */
public final class RestVerticle extends VerticleBase {
    private final ServiceView service;
    private final ServiceMetrics metrics;
    private final ScalerSignals signals;
    private final List<RouteInstaller> extraRoutes;

    private final Audit audit;

    @Nullable
    private RestListener listener;

    @Nullable
    private EventRoutes events;

    /**
     * Prepares the server.
     *
     * @param service what may be read
     * @param metrics what {@code /metrics} answers; requests are timed there
     * @param signals what scalers are told
     * @param audit told who changed something or was refused
     * @param extraRoutes installed before the service's own
     */
    public RestVerticle(
            ServiceView service,
            ServiceMetrics metrics,
            ScalerSignals signals,
            Audit audit,
            List<RouteInstaller> extraRoutes) {
        this.service = service;
        this.metrics = metrics;
        this.signals = signals;
        this.audit = audit;
        this.extraRoutes = List.copyOf(extraRoutes);
    }

    @Override
    public Future<?> start() {
        HttpSettings http = service.config().http();
        Router router = Router.router(vertx);
        Routes routes = new Routes(router, http.maxBodyBytes());
        routes.installCommon();
        new RequestTiming(metrics).install(router);
        extraRoutes.forEach(installer -> installer.install(router));
        PoolRoutes pools = new PoolRoutes(service, signals);
        pools.install(routes);
        EventRoutes streams = new EventRoutes(vertx, service, pools);
        events = streams;
        streams.install(routes);
        new ContractRoutes().install(routes);
        if (service.config().interfaces().aliases().contains(AliasSet.AIBRIX)) {
            new AibrixRoutes(pools, signals).install(routes);
        }
        new HealthRoutes(service).install(router);
        routes.get("/metrics", context -> scrape(context, metrics::scrape));
        routes.get("/metrics/ranks", context -> scrape(context, metrics::scrapeRanks));
        RestListener created = new RestListener(vertx, http, audit, metrics);
        listener = created;
        return created.listen(router);
    }

    /** Takes no more requests, ends event streams, and lets what was asked already be answered for a moment. */
    @Override
    public Future<?> stop() {
        if (events != null) {
            events.end();
        }
        return listener == null ? Future.succeededFuture() : listener.shutdown();
    }

    /** The bound port; only after the start has succeeded. */
    public int port() {
        return Objects.requireNonNull(listener, "not started").port();
    }

    private interface Exposition {
        void write(String contentType, OutputStream output) throws IOException;
    }

    private static void scrape(RoutingContext context, Exposition exposition) {
        String accept = context.request().getHeader("Accept");
        boolean openMetrics = accept != null && accept.contains("application/openmetrics-text");
        String type = openMetrics
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        Routes.sendLarge(context, type, output -> exposition.write(type, output));
    }
}
