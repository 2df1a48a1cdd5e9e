/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.service.config.DynamoSettings.Registry;
import java.util.List;
import java.util.Optional;

/** What Dynamo is told, between tree and record. */
final class DynamoBinder {
    private DynamoBinder() {}

    /** Reads it from the section {@code dynamo}; the plugin is only there with a port of its own. */
    static DynamoSettings bind(JsonNode node, boolean served, List<String> problems) {
        String model = ConfigBinder.text(node, "model", "");
        try {
            Optional<Registry> registry = registry(node.path("registry"));
            if (registry.isPresent() && !served) {
                problems.add("keda.port is required: dynamo.registry registers the plugin that is served there");
            }
            return new DynamoSettings(model, registry);
        } catch (IllegalArgumentException e) {
            problems.add("dynamo.registry." + e.getMessage());
            return new DynamoSettings(model, Optional.empty());
        }
    }

    private static Optional<Registry> registry(JsonNode node) {
        String address = ConfigBinder.text(node, "address", "");
        if (address.isEmpty()) {
            return Optional.empty();
        }
        HostPorts at = HostPorts.parse(address)
                .orElseThrow(() -> new IllegalArgumentException(
                        "address must be HOST:PORT, where Dynamo's planner takes registrations, was '" + address
                                + "'"));
        return Optional.of(new Registry(
                at,
                ConfigBinder.text(node, "endpoint", ""),
                ConfigBinder.text(node, "pluginId", DynamoSettings.DEFAULT_PLUGIN_ID),
                (int) ConfigBinder.number(node, "priority", DynamoSettings.DEFAULT_PRIORITY),
                InterfaceBinder.file(node, "", "tokenFile")));
    }

    static void write(ObjectNode node, DynamoSettings settings) {
        node.put("model", settings.model());
        ObjectNode registry = node.putObject("registry");
        Optional<Registry> known = settings.registry();
        registry.put("address", known.map(each -> each.address().toString()).orElse(null))
                .put("endpoint", known.map(Registry::endpoint).orElse(null))
                .put("pluginId", known.map(Registry::pluginId).orElse(DynamoSettings.DEFAULT_PLUGIN_ID))
                .put("priority", known.map(Registry::priority).orElse(DynamoSettings.DEFAULT_PRIORITY));
        InterfaceWriter.file(registry, "tokenFile", known.flatMap(Registry::tokenFile));
    }
}
