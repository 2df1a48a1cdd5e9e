/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.List;

/**
 * The whole configuration of a running service. Immutable; every value was validated.
 *
 * @param http where the REST interface listens
 * @param tickSeconds time between two plans; 0.05 to 60
 * @param handoffFrames frames that may wait between the ZeroMQ thread and the planner; 256 to 1,048,576, rounded up to a
 *     power of two. Frames beyond it are dropped and counted
 * @param zeromq how publishers are subscribed to
 * @param pools the pools, at least one, with distinct ids and endpoints
 */
public record ServiceConfig(
        HttpSettings http, double tickSeconds, int handoffFrames, ZeroMqSettings zeromq, List<PoolConfig> pools) {
    public ServiceConfig {
        Range.check("tickSeconds", tickSeconds, 0.05, 60);
        Range.check("handoffFrames", handoffFrames, 256, 1 << 20);
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools must have at least one entry");
        }
        for (int i = 0; i < pools.size(); i++) {
            for (int j = 0; j < i; j++) {
                requireDistinct(pools, j, i);
            }
        }
    }

    /** A configuration of these pools with defaults for everything else. */
    public static ServiceConfig of(List<PoolConfig> pools) {
        return new ServiceConfig(
                HttpSettings.defaults(),
                DEFAULT_TICK_SECONDS,
                DEFAULT_HANDOFF_FRAMES,
                ZeroMqSettings.defaults(),
                pools);
    }

    static final double DEFAULT_TICK_SECONDS = 1;
    static final int DEFAULT_HANDOFF_FRAMES = 16_384;

    /** This configuration with other HTTP settings. */
    public ServiceConfig withHttp(HttpSettings other) {
        return new ServiceConfig(other, tickSeconds, handoffFrames, zeromq, pools);
    }

    /** This configuration with another time between plans. */
    public ServiceConfig withTickSeconds(double seconds) {
        return new ServiceConfig(http, seconds, handoffFrames, zeromq, pools);
    }

    /** This configuration with other ZeroMQ settings. */
    public ServiceConfig withZeromq(ZeroMqSettings other) {
        return new ServiceConfig(http, tickSeconds, handoffFrames, other, pools);
    }

    private static void requireDistinct(List<PoolConfig> pools, int first, int second) {
        PoolConfig a = pools.get(first);
        PoolConfig b = pools.get(second);
        if (a.settings().id().equals(b.settings().id())) {
            throw new IllegalArgumentException(
                    "pools[" + second + "].id '" + b.settings().id() + "' is already the id of pools[" + first + "]");
        }
        for (int j = 0; j < b.sources().size(); j++) {
            EndpointSpec source = b.sources().get(j);
            if (a.sources().stream().anyMatch(source::overlaps)) {
                throw new IllegalArgumentException("pools[" + second + "].sources[" + j + "] " + source
                        + " is already a source of pools[" + first + "]");
            }
        }
    }
}
