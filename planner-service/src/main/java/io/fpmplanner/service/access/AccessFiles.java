/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import io.fpmplanner.service.config.AccessSettings;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.TlsSettings;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether every file can be used that says who may do what. Blocks. */
public final class AccessFiles {
    private final List<String> problems = new ArrayList<>();

    private AccessFiles() {}

    private interface Reading {
        void read() throws IOException;
    }

    /** Everything that is wrong, with the keys that name the files; nothing of what is in them. */
    public static List<String> problems(ServiceConfig config) {
        AccessFiles files = new AccessFiles();
        AccessSettings access = config.http().access();
        files.tokens(access.tokens());
        files.authorities("http.clients.caFile", access.clients().caFile());
        Vertx vertx = Vertx.vertx();
        try {
            files.certificate("http.tls", access.tls(), vertx);
            files.certificate(
                    "externalMetrics.tls", config.interfaces().externalMetrics().tls(), vertx);
            files.certificate("keda.tls", config.interfaces().keda().tls(), vertx);
        } finally {
            vertx.close();
        }
        var clients = config.interfaces().externalMetrics().clients();
        files.authorities("externalMetrics.clients.requestHeaderCaFile", clients.requestHeaderCaFile());
        files.authorities("externalMetrics.clients.clientCaFile", clients.clientCaFile());
        return List.copyOf(files.problems);
    }

    private void tokens(AccessSettings.Tokens tokens) {
        TokenList[] all = {TokenList.none()};
        tokens.readFile()
                .ifPresent(file -> check("http.tokens.readFile", () -> all[0] = all[0].and(file, AccessRole.READ)));
        tokens.ingestFile()
                .ifPresent(file -> check("http.tokens.ingestFile", () -> all[0] = all[0].and(file, AccessRole.INGEST)));
        tokens.operateFile()
                .ifPresent(file ->
                        check("http.tokens.operateFile", () -> all[0] = all[0].and(file, AccessRole.OPERATE)));
    }

    private void certificate(String key, Optional<TlsSettings> tls, Vertx vertx) {
        tls.ifPresent(settings -> check(key, () -> ServingCertificate.read(settings, vertx)));
    }

    private void authorities(String key, Optional<Path> file) {
        file.ifPresent(path -> check(key, () -> {
            try {
                ClientCertificates.ofPem(Files.readAllBytes(path));
            } catch (CertificateException e) {
                throw new IOException(path + ": " + e.getMessage(), e);
            }
        }));
    }

    private void check(String key, Reading reading) {
        try {
            reading.read();
        } catch (NoSuchFileException e) {
            problems.add(key + ": no such file: " + e.getMessage());
        } catch (AccessDeniedException e) {
            problems.add(key + ": may not be read: " + e.getMessage());
        } catch (IOException e) {
            problems.add(key + ": " + e.getMessage());
        }
    }
}
