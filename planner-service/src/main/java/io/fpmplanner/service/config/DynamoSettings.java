/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What Dynamo is told.
 *
 * @param model model whose pools are told to Dynamo; empty for the only one
 * @param registry where the plugin registers itself; empty if Dynamo's planner is told of it by other means
 */
public record DynamoSettings(String model, Optional<Registry> registry) {
    /** Dynamo's own proposers have 5 and 10, and the smallest number wins. */
    static final int DEFAULT_PRIORITY = 1;

    static final String DEFAULT_PLUGIN_ID = "fpm-planner";
    private static final int LARGEST_PRIORITY = 1_000_000;
    private static final String SCHEME = "grpc://";

    /**
     * The registry of plugins of a Dynamo planner.
     *
     * @param address where it listens, one port
     * @param endpoint where Dynamo's planner reaches the plugin, {@code grpc://HOST:PORT}
     * @param pluginId name of the plugin there, not blank
     * @param priority 0 to 1000000; the smallest number wins
     * @param tokenFile file with the secret that Dynamo's planner asks for; empty for none
     */
    public record Registry(
            HostPorts address, String endpoint, String pluginId, int priority, Optional<Path> tokenFile) {
        public Registry {
            if (address.ports() != 1) {
                throw new IllegalArgumentException("address must name one port, was " + address);
            }
            if (!endpoint.startsWith(SCHEME)
                    || HostPorts.parse(endpoint.substring(SCHEME.length()))
                            .filter(reached -> reached.ports() == 1)
                            .isEmpty()) {
                throw new IllegalArgumentException(
                        "endpoint must be grpc://HOST:PORT, where Dynamo's planner reaches keda.port, was '" + endpoint
                                + "'");
            }
            if (pluginId.isBlank()) {
                throw new IllegalArgumentException("pluginId must not be blank");
            }
            Range.check("priority", priority, 0, LARGEST_PRIORITY);
        }
    }

    static DynamoSettings defaults() {
        return new DynamoSettings("", Optional.empty());
    }
}
