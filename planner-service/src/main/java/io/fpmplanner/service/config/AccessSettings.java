/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who may use the REST interface, and how much. Holds names of files, never what is in them.
 *
 * @param tls the serving certificate; empty for plain HTTP
 * @param tokens files of bearer tokens by what they allow
 * @param clients certificates of clients by what they allow
 * @param allowedAddresses addresses and networks that may connect; empty for all
 * @param requestsPerSecond of one client, 1 to 1,000,000; more gets 429
 * @param connections open at once, 1 to 100,000; more are closed
 */
public record AccessSettings(
        Optional<TlsSettings> tls,
        Tokens tokens,
        Clients clients,
        List<Network> allowedAddresses,
        double requestsPerSecond,
        int connections) {
    static final double DEFAULT_REQUESTS_PER_SECOND = 10_000;
    static final int DEFAULT_CONNECTIONS = 1024;

    public AccessSettings {
        allowedAddresses = List.copyOf(allowedAddresses);
        Range.check("limits.requestsPerSecond", requestsPerSecond, 1, 1_000_000);
        Range.check("limits.connections", connections, 1, 100_000);
        boolean named = !clients.readNames().isEmpty()
                || !clients.ingestNames().isEmpty()
                || !clients.operateNames().isEmpty();
        if (clients.caFile().isPresent() && tls.isEmpty()) {
            throw new IllegalArgumentException("clients.caFile needs tls.certificateFile and tls.privateKeyFile");
        }
        if (clients.caFile().isPresent() != named) {
            throw new IllegalArgumentException("clients.caFile and at least one of clients.readNames,"
                    + " clients.ingestNames and clients.operateNames belong together");
        }
    }

    /** Everybody who can connect may do everything. */
    public static AccessSettings defaults() {
        return new AccessSettings(
                Optional.empty(),
                new Tokens(Optional.empty(), Optional.empty(), Optional.empty()),
                new Clients(Optional.empty(), List.of(), List.of(), List.of()),
                List.of(),
                DEFAULT_REQUESTS_PER_SECOND,
                DEFAULT_CONNECTIONS);
    }

    /** These settings with other limits. */
    public AccessSettings withLimits(double otherRequestsPerSecond, int otherConnections) {
        return new AccessSettings(tls, tokens, clients, allowedAddresses, otherRequestsPerSecond, otherConnections);
    }

    /** Whether anybody has to say who they are. */
    public boolean isGuarded() {
        return tokens.readFile().isPresent()
                || tokens.ingestFile().isPresent()
                || tokens.operateFile().isPresent()
                || clients.caFile().isPresent();
    }

    /**
     * Files with one token a line, with or without a name before it.
     *
     * @param readFile tokens that may read
     * @param ingestFile tokens that may post frames and observations
     * @param operateFile tokens that may do everything
     */
    public record Tokens(Optional<Path> readFile, Optional<Path> ingestFile, Optional<Path> operateFile) {}

    /**
     * Certificates of clients.
     *
     * @param caFile PEM of the authorities that sign them
     * @param readNames common names that may read; * stands for all
     * @param ingestNames common names that may post frames and observations
     * @param operateNames common names that may do everything
     */
    public record Clients(
            Optional<Path> caFile, List<String> readNames, List<String> ingestNames, List<String> operateNames) {
        public Clients {
            readNames = List.copyOf(readNames);
            ingestNames = List.copyOf(ingestNames);
            operateNames = List.copyOf(operateNames);
        }
    }
}
