/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.service.access.ServerShutdown;
import io.fpmplanner.service.access.ServingTls;
import io.fpmplanner.service.config.ExternalMetricsSettings;
import io.fpmplanner.service.config.ExternalMetricsSettings.Trust;
import io.fpmplanner.service.externalmetrics.StatusError.Reason;
import io.fpmplanner.service.http.RouteInstaller;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS listener that an APIService points kube-aggregator to. Serves the metrics API to verified clients, and health to
 * everybody. Certificates and authorities are taken over when they change, without a restart; what cannot be read is reported
 * and what was in force stays.
 */
public final class ExternalMetricsVerticle extends VerticleBase {
    /** A front proxy sends one header for each group of the user. */
    private static final int MAX_HEADER_BYTES = 65_536;

    private static final int MAX_LINE_BYTES = 16_384;
    private static final int IDLE_SECONDS = 120;
    private static final Logger log = LoggerFactory.getLogger(ExternalMetricsVerticle.class);

    private final ExternalMetricsSettings settings;
    private final List<RouteInstaller> routes;
    private final ListenerMetrics metrics;
    private final IntConsumer unreadable;

    private @Nullable HttpServer server;
    private @Nullable AuthoritySource source;
    private @Nullable ServingTls tls;
    private @Nullable ClientAuthorities authorities;
    private String complaint = "";

    /**
     * Prepares the listener.
     *
     * @param settings with a port
     * @param routes of the API, and of health
     * @param registry where refusals and reloads are counted
     * @param unreadable told the status of each request that could not be taken apart as HTTP
     */
    public ExternalMetricsVerticle(
            ExternalMetricsSettings settings,
            List<RouteInstaller> routes,
            io.micrometer.core.instrument.MeterRegistry registry,
            IntConsumer unreadable) {
        this.settings = settings;
        this.unreadable = unreadable;
        this.routes = List.copyOf(routes);
        this.metrics = new ListenerMetrics(registry);
    }

    @Override
    public Future<?> start() {
        if (settings.clients().trust() == Trust.CLUSTER) {
            source = new ClusterAuthorities(vertx, ClusterAuthorities.Access.ofPod(System.getenv()));
        } else if (settings.clients().trust() == Trust.FILES) {
            source = new FileAuthorities(vertx, settings.clients());
        }
        ServingTls certificate = new ServingTls(vertx, settings.tls(), source != null);
        tls = certificate;
        return certificate
                .configure(new HttpServerOptions()
                        .setMaxHeaderSize(MAX_HEADER_BYTES)
                        .setMaxInitialLineLength(MAX_LINE_BYTES)
                        .setIdleTimeout(IDLE_SECONDS))
                .compose(options -> {
                    certificate.notAfter().ifPresent(this::expires);
                    return listen(options);
                })
                .compose(listening -> readAuthorities())
                .recover(this::tolerate)
                .onSuccess(ready -> vertx.setPeriodic(
                        Math.round(certificate.reloadSeconds().orElseThrow() * 1000), timer -> reload()));
    }

    /** Files that were named must be there; a cluster may not answer yet, and is asked again. */
    private Future<Void> tolerate(Throwable fault) {
        if (server == null || settings.clients().trust() != Trust.CLUSTER) {
            return Future.failedFuture(fault);
        }
        complain(fault);
        return Future.succeededFuture();
    }

    private Future<HttpServer> listen(HttpServerOptions options) {
        Router router = Router.router(vertx);
        router.route().order(-2).handler(this::admit);
        routes.forEach(installer -> installer.install(router));
        router.route().order(1_000_000).handler(ExternalMetricsApi::notFound);
        router.route().failureHandler(ExternalMetricsVerticle::fail);
        HttpServer created = vertx.createHttpServer(options);
        server = created;
        return created.requestHandler(router)
                .invalidRequestHandler(this::refuseMalformed)
                .exceptionHandler(this::failed)
                .listen(settings.port().orElseThrow(), settings.host());
    }

    /** A client that does not believe the serving certificate breaks the handshake off; nothing can be answered then. */
    private void failed(Throwable fault) {
        metrics.handshakeFailed();
        log.atDebug().addKeyValue("why", fault).log("TLS connection failed");
    }

    private void expires(Instant notAfter) {
        metrics.expires(notAfter);
        if (notAfter.isBefore(Instant.now())) {
            log.atWarn()
                    .addKeyValue("notAfter", notAfter)
                    .log("the serving certificate has expired; kube-aggregator takes the API for gone until it is"
                            + " renewed");
        }
    }

    /** Takes no more requests, and lets what was asked already be answered for a moment. */
    @Override
    public Future<?> stop() {
        return ServerShutdown.of(server);
    }

    /** The bound port; only after the start has succeeded. */
    public int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    /** Lets health through, and to the API only who may ask. */
    private void admit(RoutingContext context) {
        String path = context.normalizedPath();
        if (source == null || !(path.startsWith("/apis") || path.startsWith("/openapi"))) {
            context.next();
            return;
        }
        if (authorities == null) {
            ExternalMetricsApi.fail(
                    context,
                    new StatusError(
                            Reason.SERVICE_UNAVAILABLE, "the authorities of clients are not known yet: " + complaint));
            return;
        }
        Optional<ClientCheck.Refusal> refusal = ClientCheck.refusal(authorities, context.request());
        if (refusal.isEmpty()) {
            context.next();
            return;
        }
        metrics.refused(refusal.get());
        ExternalMetricsApi.fail(context, new StatusError(Reason.UNAUTHORIZED, "Unauthorized: " + refusal.get().hint));
    }

    private void reload() {
        Future.join(
                        Objects.requireNonNull(tls)
                                .reload(Objects.requireNonNull(server))
                                .onSuccess(replaced -> replaced.ifPresent(this::replaced)),
                        readAuthorities())
                .onFailure(fault -> {
                    metrics.reloaded(false);
                    complain(fault);
                });
    }

    private void replaced(Instant notAfter) {
        expires(notAfter);
        metrics.reloaded(true);
        log.atInfo().addKeyValue("notAfter", notAfter).log("serving certificate replaced");
    }

    private Future<Void> readAuthorities() {
        if (source == null) {
            return Future.succeededFuture();
        }
        return source.read().map(read -> {
            complaint = "";
            if (authorities != null && !authorities.equals(read)) {
                metrics.reloaded(true);
                log.atInfo().log("authorities of clients replaced");
            }
            authorities = read;
            return null;
        });
    }

    /** Each fault once, not at every attempt. */
    private void complain(Throwable fault) {
        if (!complaint.equals(fault.toString())) {
            complaint = fault.toString();
            log.atWarn().addKeyValue("why", complaint).log("certificates cannot be read anew; what is in force stays");
        }
    }

    private static void fail(RoutingContext context) {
        if (context.failure() != null) {
            log.atError()
                    .addKeyValue("path", context.request().path())
                    .setCause(context.failure())
                    .log("request failed");
        }
        boolean client = context.statusCode() >= 400 && context.statusCode() < 500;
        ExternalMetricsApi.fail(
                context,
                client
                        ? new StatusError(Reason.BAD_REQUEST, "the request is malformed")
                        : new StatusError(Reason.INTERNAL_ERROR, "this is a fault of the planner; see its log"));
    }

    private void refuseMalformed(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        StatusError error = cause instanceof TooLongHttpLineException
                ? new StatusError(Reason.URI_TOO_LONG, "the request line is longer than " + MAX_LINE_BYTES + " bytes")
                : cause instanceof TooLongHttpHeaderException
                        ? new StatusError(
                                Reason.HEADERS_TOO_LARGE,
                                "the header fields are longer than " + MAX_HEADER_BYTES + " bytes")
                        : new StatusError(Reason.BAD_REQUEST, "the request is malformed");
        unreadable.accept(error.code());
        request.response()
                .setStatusCode(error.code())
                .putHeader(HttpHeaders.CONNECTION, "close")
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(error.document() + "\n");
    }
}
