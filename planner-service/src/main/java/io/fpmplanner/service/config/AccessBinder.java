/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The access settings between tree and record. */
final class AccessBinder {
    private AccessBinder() {}

    /**
     * Reads them from the section {@code http}.
     *
     * @throws IllegalArgumentException naming the key below it
     */
    static AccessSettings bind(JsonNode http) {
        JsonNode tokens = http.path("tokens");
        JsonNode clients = http.path("clients");
        JsonNode limits = http.path("limits");
        return new AccessSettings(
                InterfaceBinder.tls(http.path("tls")),
                new AccessSettings.Tokens(
                        InterfaceBinder.file(tokens, "tokens.", "readFile"),
                        InterfaceBinder.file(tokens, "tokens.", "ingestFile"),
                        InterfaceBinder.file(tokens, "tokens.", "operateFile")),
                new AccessSettings.Clients(
                        InterfaceBinder.file(clients, "clients.", "caFile"),
                        list("clients.readNames", clients.path("readNames"), Function.identity()),
                        list("clients.ingestNames", clients.path("ingestNames"), Function.identity()),
                        list("clients.operateNames", clients.path("operateNames"), Function.identity())),
                list("allowedAddresses", http.path("allowedAddresses"), Network::parse),
                ConfigBinder.number(limits, "requestsPerSecond", AccessSettings.DEFAULT_REQUESTS_PER_SECOND),
                (int) ConfigBinder.number(limits, "connections", AccessSettings.DEFAULT_CONNECTIONS));
    }

    static <T> List<T> list(String path, JsonNode array, Function<String, T> entry) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            try {
                list.add(entry.apply(array.path(i).asText()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + "[" + i + "] " + e.getMessage(), e);
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
