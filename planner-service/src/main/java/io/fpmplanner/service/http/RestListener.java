/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.service.access.AccessControl;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.access.ServingCertificate;
import io.fpmplanner.service.access.UnverifiedTrust;
import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.HttpSettings;
import io.fpmplanner.service.config.TlsSettings;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.web.Router;
import java.util.Objects;
import java.util.Optional;
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
    private static final double RELOAD_SECONDS = 10;
    private static final Logger log = LoggerFactory.getLogger(RestListener.class);

    private final Vertx vertx;
    private final HttpSettings settings;
    private final Audit audit;
    private final MeterRegistry registry;
    private final Counter surplus;
    private final IntConsumer unreadable;
    private @Nullable HttpServer server;
    private @Nullable ServingCertificate serving;
    private @Nullable AccessControl control;
    private int connections;
    private String complaint = "";

    /** Prepares it; {@code metrics} counts what is refused before routing. */
    RestListener(Vertx vertx, HttpSettings settings, Audit audit, ServiceMetrics metrics) {
        this.vertx = vertx;
        this.settings = settings;
        this.audit = audit;
        this.registry = metrics.registry();
        this.unreadable = metrics::unreadable;
        this.surplus = Counter.builder("fpm_planner.http.connections.refused")
                .description("Connections closed unread because too many were open.")
                .register(registry);
    }

    /** Reads all files, puts the gate before the routes and listens. */
    Future<HttpServer> listen(Router router) {
        AccessSettings access = settings.access();
        return vertx.executeBlocking(() -> {
                    control = new AccessControl(access);
                    serving = access.tls().isEmpty()
                            ? null
                            : ServingCertificate.read(access.tls().get());
                    return null;
                })
                .compose(read -> {
                    new AccessGate(Objects.requireNonNull(control), audit, serving != null, registry)
                            .install(vertx, router);
                    return open(router);
                })
                .onSuccess(listening -> {
                    if (access.isGuarded() || access.tls().isPresent()) {
                        double seconds =
                                access.tls().map(TlsSettings::reloadSeconds).orElse(RELOAD_SECONDS);
                        vertx.setPeriodic(Math.round(seconds * 1000), timer -> reload());
                    }
                    if (!access.isGuarded() && !isLoopback(settings.host())) {
                        log.atWarn()
                                .addKeyValue("host", settings.host())
                                .log("the REST interface asks nobody who they are; set http.tokens or http.clients");
                    }
                });
    }

    private Future<HttpServer> open(Router router) {
        // With HTTP/2 in the clear a connection would be counted only once its first bytes told which protocol it
        // speaks.
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout(IDLE_SECONDS)
                .setCompressionSupported(false)
                .setHttp2ClearTextEnabled(false);
        ServingCertificate certificate = serving;
        if (certificate != null) {
            options.setSsl(true)
                    .setKeyCertOptions(certificate.options())
                    .setTrustOptions(TrustOptions.wrap(new UnverifiedTrust()))
                    .setClientAuth(clientAuth());
        }
        HttpServer created = vertx.createHttpServer(options);
        server = created;
        return created.requestHandler(router)
                .invalidRequestHandler(request -> unreadable.accept(Routes.refuseMalformed(request)))
                .connectionHandler(this::count)
                .exceptionHandler(
                        fault -> log.atDebug().addKeyValue("why", fault).log("connection failed"))
                .listen(settings.port(), settings.host());
    }

    private ClientAuth clientAuth() {
        return settings.access().clients().caFile().isPresent() ? ClientAuth.REQUEST : ClientAuth.NONE;
    }

    private void count(HttpConnection connection) {
        if (connections >= settings.access().connections()) {
            surplus.increment();
            connection.close();
            return;
        }
        connections++;
        connection.closeHandler(closed -> connections--);
    }

    int port() {
        return Objects.requireNonNull(server, "not started").actualPort();
    }

    private void reload() {
        vertx.executeBlocking(() -> {
                    Optional<Integer> replaced = Objects.requireNonNull(control).reload();
                    replaced.ifPresent(audit::credentialsReplaced);
                    Optional<TlsSettings> tls = settings.access().tls();
                    return tls.isEmpty()
                            ? Optional.<ServingCertificate>empty()
                            : Optional.of(ServingCertificate.read(tls.get()));
                })
                .compose(read -> read.isEmpty() ? Future.succeededFuture() : serve(read.get()))
                .onSuccess(done -> complaint = "")
                .onFailure(this::complain);
    }

    private Future<?> serve(ServingCertificate read) {
        if (read.equals(serving)) {
            return Future.succeededFuture();
        }
        ServerSSLOptions options = new ServerSSLOptions();
        options.setKeyCertOptions(read.options());
        options.setTrustOptions(TrustOptions.wrap(new UnverifiedTrust()));
        options.setClientAuth(clientAuth());
        return Objects.requireNonNull(server).updateSSLOptions(options).onSuccess(updated -> {
            serving = read;
            log.atInfo().addKeyValue("notAfter", read.notAfter()).log("certificate of the REST interface replaced");
        });
    }

    /** Each fault once, not at every attempt. */
    private void complain(Throwable fault) {
        if (!complaint.equals(fault.toString())) {
            complaint = fault.toString();
            log.atWarn()
                    .addKeyValue("why", complaint)
                    .log("certificates or tokens cannot be read anew; what is in force stays");
        }
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }
}
