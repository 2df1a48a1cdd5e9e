/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The TLS listener that kube-aggregator is pointed to for {@code external.metrics.k8s.io}.
 *
 * @param host address or name to bind
 * @param port TCP port, 0 for one chosen by the operating system; empty to do without the listener
 * @param tls the serving certificate; present when there is a port
 * @param clients who may ask
 */
public record ExternalMetricsSettings(String host, OptionalInt port, Optional<TlsSettings> tls, Clients clients) {
    public ExternalMetricsSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        port.ifPresent(number -> Range.check("port", number, 0, 65_535));
        if (port.isPresent() && tls.isEmpty()) {
            throw new IllegalArgumentException(
                    "tls.certificateFile and tls.privateKeyFile are required with a port: kube-aggregator speaks TLS only");
        }
        if (port.isPresent()
                && clients.trust() == Trust.FILES
                && clients.requestHeaderCaFile().isEmpty()
                && clients.clientCaFile().isEmpty()) {
            throw new IllegalArgumentException("clients.requestHeaderCaFile or clients.clientCaFile is required with"
                    + " clients.trust files; use clients.trust cluster inside a cluster");
        }
    }

    /** No listener. */
    public static ExternalMetricsSettings defaults() {
        return new ExternalMetricsSettings("0.0.0.0", OptionalInt.empty(), Optional.empty(), Clients.defaults());
    }

    /** Where the authorities come from that clients' certificates are verified by. */
    public enum Trust {
        /** From the ConfigMap kube-system/extension-apiserver-authentication, by this pod's service account. */
        CLUSTER,
        /** From files. */
        FILES,
        /** Nobody is asked for a certificate. */
        ANYONE
    }

    /**
     * Who may ask on the TLS listener.
     *
     * @param trust where the authorities come from
     * @param requestHeaderCaFile PEM of the authority of front proxies, whose word on the user is taken
     * @param allowedNames common names of front proxies that are believed; empty for all that the authority signed
     * @param clientCaFile PEM of the authority of users who come with a certificate of their own
     */
    public record Clients(
            Trust trust, Optional<Path> requestHeaderCaFile, List<String> allowedNames, Optional<Path> clientCaFile) {
        public Clients {
            allowedNames = List.copyOf(allowedNames);
        }

        static Clients defaults() {
            return new Clients(Trust.CLUSTER, Optional.empty(), List.of(), Optional.empty());
        }
    }
}
