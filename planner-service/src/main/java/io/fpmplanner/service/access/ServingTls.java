/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.fpmplanner.service.config.TlsSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of one server socket, which may change while it serves. Used by the event loop of that socket; files are
 * read on worker threads.
 */
public final class ServingTls {
    private final Vertx vertx;
    private final Optional<TlsSettings> settings;
    private final ClientAuth clientAuth;
    private @Nullable ServingCertificate serving;

    /**
     * Serves what the settings name.
     *
     * @param settings empty for a socket without TLS
     * @param asksClients whether clients are asked for certificates, which are verified at each request and not here
     */
    public ServingTls(Vertx vertx, Optional<TlsSettings> settings, boolean asksClients) {
        this.vertx = vertx;
        this.settings = settings;
        this.clientAuth = asksClients ? ClientAuth.REQUEST : ClientAuth.NONE;
    }

    /** Reads the files and puts what they hold into the options; fails with the name of the file that cannot be used. */
    public Future<HttpServerOptions> configure(HttpServerOptions options) {
        if (settings.isEmpty()) {
            return Future.succeededFuture(options);
        }
        return vertx.executeBlocking(() -> ServingCertificate.read(settings.get(), vertx))
                .map(read -> {
                    serving = read;
                    return options.setSsl(true)
                            .setKeyCertOptions(read.options())
                            .setTrustOptions(TrustOptions.wrap(new UnverifiedTrust()))
                            .setClientAuth(clientAuth);
                });
    }

    /** How often files are looked at for changes; empty for a socket without TLS. */
    public OptionalDouble reloadSeconds() {
        return settings.isPresent() ? OptionalDouble.of(settings.get().reloadSeconds()) : OptionalDouble.empty();
    }

    /** When the certificate that is served expires; empty for a socket without TLS, and before {@link #configure}. */
    public Optional<Instant> notAfter() {
        return Optional.ofNullable(serving).map(ServingCertificate::notAfter);
    }

    /**
     * Reads the files again; new connections get what they hold if it can be used.
     *
     * @return when the new certificate expires, if there is a new one; a failure if what was in force stays for a reason
     */
    public Future<Optional<Instant>> reload(HttpServer server) {
        if (settings.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return vertx.executeBlocking(() -> ServingCertificate.read(settings.get(), vertx))
                .compose(read -> serve(server, read));
    }

    private Future<Optional<Instant>> serve(HttpServer server, ServingCertificate read) {
        if (read.equals(serving)) {
            return Future.succeededFuture(Optional.empty());
        }
        try {
            read.requireNoWorseThan(serving, Instant.now());
        } catch (IOException e) {
            return Future.failedFuture(e);
        }
        ServerSSLOptions options = new ServerSSLOptions();
        options.setKeyCertOptions(read.options());
        options.setTrustOptions(TrustOptions.wrap(new UnverifiedTrust()));
        options.setClientAuth(clientAuth);
        return server.updateSSLOptions(options).map(updated -> {
            serving = read;
            return Optional.of(read.notAfter());
        });
    }
}
