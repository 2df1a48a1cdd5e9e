/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.fpmplanner.service.access.ClientCertificates;
import io.fpmplanner.service.config.ExternalMetricsSettings.Clients;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Authorities from PEM files. */
final class FileAuthorities implements AuthoritySource {
    private final Vertx vertx;
    private final Clients clients;

    FileAuthorities(Vertx vertx, Clients clients) {
        this.vertx = vertx;
        this.clients = clients;
    }

    @Override
    public Future<ClientAuthorities> read() {
        return vertx.executeBlocking(() -> new ClientAuthorities(
                certificates(clients.requestHeaderCaFile()),
                clients.allowedNames(),
                List.of(),
                certificates(clients.clientCaFile())));
    }

    private static List<X509Certificate> certificates(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return List.of();
        }
        try {
            return ClientCertificates.ofPem(Files.readAllBytes(file.get()));
        } catch (CertificateException e) {
            throw new IOException(file.get() + ": " + e.getMessage(), e);
        }
    }
}
