/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.service.access.AccessControl;
import io.fpmplanner.service.access.AccessRenewal;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.access.ConnectionLimit;
import io.fpmplanner.service.access.ServerShutdown;
import io.fpmplanner.service.access.ServingTls;
import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server socket of the REST interface: plain or TLS, with certificates, authorities and tokens that are taken over when
 * their files change. All on the HTTP verticle's event loop, files on a worker thread.
 */
final class RestListener {
    private static final int IDLE_SECONDS = 60;
    private static final Logger log = LoggerFactory.getLogger(RestListener.class);

    private final Vertx vertx;
    private final HttpSettings settings;
    private final Audit audit;
    private final MeterRegistry registry;
    private final Counter surplus;
    private final IntConsumer unreadable;
    private final ServingTls tls;
    private final ConnectionLimit limit;
    private @Nullable HttpServer server;
    private @Nullable AccessControl control;

    /** Prepares it; {@code metrics} counts what is refused before routing. */
    RestListener(Vertx vertx, HttpSettings settings, Audit audit, ServiceMetrics metrics) {
        this.vertx = vertx;
        this.settings = settings;
        this.audit = audit;
        this.registry = metrics.registry();
        this.unreadable = metrics::unreadable;
        this.limit = new ConnectionLimit(settings.access().connections());
        this.tls = new ServingTls(
                vertx,
                settings.access().tls(),
                settings.access().clients().caFile().isPresent());
        this.surplus = Counter.builder("fpm_planner.http.connections.refused")
                .description("Connections closed unread because too many were open.")
                .register(registry);
    }

    /** Reads all files, puts the gate before the routes and listens. */
    Future<HttpServer> listen(Router router) {
        AccessSettings access = settings.access();
        // With HTTP/2 in the clear a connection would be counted only once its first bytes told which protocol it
        // speaks.
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS)
                .setCompressionSupported(false)
                .setHttp2ClearTextEnabled(false);
        return vertx.executeBlocking(() -> control = new AccessControl(access))
                .compose(read -> tls.configure(options))
                .compose(configured -> {
                    new AccessGate(
                                    Objects.requireNonNull(control),
                                    audit,
                                    access.tls().isPresent(),
                                    registry)
                            .install(vertx, router);
                    return open(router, configured);
                })
                .onSuccess(listening -> {
                    new AccessRenewal(
                                    "the REST interface",
                                    Objects.requireNonNull(control),
                                    tls,
                                    audit::credentialsReplaced)
                            .start(vertx, listening);
                    if (!access.isGuarded() && !isLoopback(settings.host())) {
                        log.atWarn()
                                .addKeyValue("host", settings.host())
                                .log("the REST interface asks nobody who they are; set http.tokens or http.clients");
                    }
                });
    }

    private Future<HttpServer> open(Router router, HttpServerOptions options) {
        HttpServer created = vertx.createHttpServer(options);
        server = created;
        return created.requestHandler(router)
                .invalidRequestHandler(request -> unreadable.accept(Routes.refuseMalformed(request)))
                .connectionHandler(this::count)
                .exceptionHandler(
                        fault -> log.atDebug().addKeyValue("why", fault).log("connection failed"))
                .listen(settings.port(), settings.host());
    }

    private void count(HttpConnection connection) {
        if (!limit.admit(connection, () -> {})) {
            surplus.increment();
        }
    }

    /** Closes the server socket at once, connections when what they asked is answered, or after a while. */
    Future<?> shutdown() {
        return ServerShutdown.of(server);
    }

    int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }
}
