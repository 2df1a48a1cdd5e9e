/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The access settings between tree and record. */
final class AccessBinder {
    private AccessBinder() {}

    /** Reads them from the section {@code http}; every problem is added, each with its key. */
    static AccessSettings bind(List<String> problems, JsonNode http) {
        AccessSettings fallback = AccessSettings.defaults();
        JsonNode tokens = http.path("tokens");
        Optional<TlsSettings> tls = part(problems, Optional.empty(), () -> InterfaceBinder.tls(http.path("tls")));
        AccessSettings.Tokens files = new AccessSettings.Tokens(
                file(problems, tokens, "tokens.", "readFile"),
                file(problems, tokens, "tokens.", "ingestFile"),
                file(problems, tokens, "tokens.", "operateFile"));
        AccessSettings.Clients clients = clients(problems, http.path("clients"));
        List<Network> networks = list(problems, "http.allowedAddresses", http.path("allowedAddresses"), Network::parse);
        AccessSettings limits = limits(problems, http.path("limits"));
        // Whoever may come is told apart from how much, so that what is wrong with both is told at once.
        return part(
                problems,
                fallback,
                () -> new AccessSettings(
                        tls, files, clients, networks, limits.requestsPerSecond(), limits.connections()));
    }

    private static <T> T part(List<String> problems, T fallback, Supplier<T> constructor) {
        return ConfigBinder.build(problems, "http", fallback, constructor);
    }

    private static Optional<Path> file(List<String> problems, JsonNode node, String section, String name) {
        return part(problems, Optional.empty(), () -> InterfaceBinder.file(node, section, name));
    }

    private static AccessSettings.Clients clients(List<String> problems, JsonNode node) {
        return new AccessSettings.Clients(
                file(problems, node, "clients.", "caFile"),
                names(node.path("readNames")),
                names(node.path("ingestNames")),
                names(node.path("operateNames")));
    }

    private static List<String> names(JsonNode array) {
        return list(new ArrayList<>(), "", array, Function.identity());
    }

    private static AccessSettings limits(List<String> problems, JsonNode node) {
        AccessSettings fallback = AccessSettings.defaults();
        double rate = ConfigBinder.number(node, "requestsPerSecond", fallback.requestsPerSecond());
        AccessSettings rated = part(problems, fallback, () -> fallback.withLimits(rate, fallback.connections()));
        int connections = ConfigBinder.integer(
                problems, "http.limits.connections", node.path("connections"), fallback.connections());
        return part(problems, rated, () -> rated.withLimits(rated.requestsPerSecond(), connections));
    }

    /** Every entry that can be read; a problem is added for each other one. */
    static <T> List<T> list(List<String> problems, String path, JsonNode array, Function<String, T> entry) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            try {
                list.add(entry.apply(array.path(i).asText()));
            } catch (IllegalArgumentException e) {
                problems.add(path + "[" + i + "] " + e.getMessage());
            }
        }
        return list;
    }

    static void write(ObjectNode http, AccessSettings access) {
        InterfaceWriter.tls(http, access.tls());
        ObjectNode tokens = http.putObject("tokens");
        InterfaceWriter.file(tokens, "readFile", access.tokens().readFile());
        InterfaceWriter.file(tokens, "ingestFile", access.tokens().ingestFile());
        InterfaceWriter.file(tokens, "operateFile", access.tokens().operateFile());
        ObjectNode clients = http.putObject("clients");
        InterfaceWriter.file(clients, "caFile", access.clients().caFile());
        write(clients.putArray("readNames"), access.clients().readNames());
        write(clients.putArray("ingestNames"), access.clients().ingestNames());
        write(clients.putArray("operateNames"), access.clients().operateNames());
        write(http.putArray("allowedAddresses"), access.allowedAddresses());
        http.putObject("limits")
                .put("requestsPerSecond", access.requestsPerSecond())
                .put("connections", access.connections());
    }

    static void write(ArrayNode array, List<?> entries) {
        entries.forEach(entry -> array.add(entry.toString()));
    }
}
