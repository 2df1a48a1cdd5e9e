/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.core.pool.GpuBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole configuration of a running service. Immutable; every value was validated.
 *
 * @param http where the REST interface listens
 * @param tickSeconds time between two plans; 0.05 to 60
 * @param handoffFrames frames that may wait between the ZeroMQ thread and the planner; 256 to 1,048,576, rounded up to a
 *     power of two. Frames beyond it are dropped and counted
 * @param zeromq how publishers are subscribed to
 * @param interfaces how scalers and dashboards are answered
 * @param state where what was learned outlives the process
 * @param pools the pools, at least one, with distinct ids and endpoints, 10,000 of these in all at most
 * @param gpuBudgets GPUs that pools may have together
 */
public record ServiceConfig(
        HttpSettings http,
        double tickSeconds,
        int handoffFrames,
        ZeroMqSettings zeromq,
        InterfaceSettings interfaces,
        StateSettings state,
        List<PoolConfig> pools,
        List<GpuBudget> gpuBudgets) {
    public ServiceConfig {
        requireRanges(tickSeconds, handoffFrames);
        pools = List.copyOf(pools);
        gpuBudgets = List.copyOf(gpuBudgets);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools must have at least one entry");
        }
        requireDistinctIds(pools);
        requireDistinctSources(pools);
        ListeningPorts.requireApart(http, interfaces, pools);
    }

    /** A configuration of these pools with defaults for everything else. */
    public static ServiceConfig of(List<PoolConfig> pools) {
        return new ServiceConfig(
                HttpSettings.defaults(),
                DEFAULT_TICK_SECONDS,
                DEFAULT_HANDOFF_FRAMES,
                ZeroMqSettings.defaults(),
                InterfaceSettings.defaults(),
                StateSettings.defaults(),
                pools,
                List.of());
    }

    /** Connections, across all pools. */
    static final int MOST_ENDPOINTS = 10_000;

    static final double DEFAULT_TICK_SECONDS = 1;
    static final int DEFAULT_HANDOFF_FRAMES = 16_384;

    /** This configuration with other HTTP settings. */
    public ServiceConfig withHttp(HttpSettings other) {
        return new ServiceConfig(other, tickSeconds, handoffFrames, zeromq, interfaces, state, pools, gpuBudgets);
    }

    /** This configuration with another time between plans. */
    public ServiceConfig withTickSeconds(double seconds) {
        return new ServiceConfig(http, seconds, handoffFrames, zeromq, interfaces, state, pools, gpuBudgets);
    }

    /** This configuration with other ZeroMQ settings. */
    public ServiceConfig withZeromq(ZeroMqSettings other) {
        return new ServiceConfig(http, tickSeconds, handoffFrames, other, interfaces, state, pools, gpuBudgets);
    }

    /** This configuration with other interfaces for scalers. */
    public ServiceConfig withInterfaces(InterfaceSettings other) {
        return new ServiceConfig(http, tickSeconds, handoffFrames, zeromq, other, state, pools, gpuBudgets);
    }

    /** This configuration with state kept elsewhere. */
    public ServiceConfig withState(StateSettings other) {
        return new ServiceConfig(http, tickSeconds, handoffFrames, zeromq, interfaces, other, pools, gpuBudgets);
    }

    /** Of the values that no section holds. */
    static void requireRanges(double tickSeconds, int handoffFrames) {
        Range.check("tickSeconds", tickSeconds, 0.05, 60);
        Range.check("handoffFrames", handoffFrames, 256, 1 << 20);
    }

    private static void requireDistinctIds(List<PoolConfig> pools) {
        Map<String, Integer> owners = new HashMap<>();
        for (int i = 0; i < pools.size(); i++) {
            String id = pools.get(i).settings().id();
            Integer owner = owners.putIfAbsent(id, i);
            if (owner != null) {
                throw new IllegalArgumentException(
                        "pools[" + i + "].id '" + id + "' is already the id of pools[" + owner + "]");
            }
        }
    }

    private record Owned(int pool, int entry, SourceSpec source) {
        String path() {
            return "pools[" + pool + "].sources[" + entry + "]";
        }
    }

    /** By key, so that thousands of sources are compared with few others each. */
    private static void requireDistinctSources(List<PoolConfig> pools) {
        Map<String, List<Owned>> byKey = new HashMap<>();
        int endpoints = 0;
        for (int i = 0; i < pools.size(); i++) {
            List<SourceSpec> sources = pools.get(i).sources();
            for (int j = 0; j < sources.size(); j++) {
                Owned added = new Owned(i, j, sources.get(j));
                endpoints += added.source().endpoints();
                if (endpoints > MOST_ENDPOINTS) {
                    throw new IllegalArgumentException(added.path() + " " + added.source() + " has "
                            + added.source().endpoints() + " ports, which makes " + endpoints
                            + " endpoints in all; at most " + MOST_ENDPOINTS + " are possible");
                }
                for (String key : added.source().keys()) {
                    List<Owned> sameKey = byKey.computeIfAbsent(key, any -> new ArrayList<>());
                    sameKey.forEach(other -> requireApart(added, other));
                    sameKey.add(added);
                }
            }
        }
    }

    private static void requireApart(Owned added, Owned other) {
        boolean samePool = added.pool() == other.pool();
        if (!added.source().overlaps(other.source())
                || (!samePool && added.source().sharedByPools())) {
            return;
        }
        String place = samePool ? "covered by " + other.path() : "a source of pools[" + other.pool() + "]";
        throw new IllegalArgumentException(added.path() + " " + added.source() + " is already " + place);
    }
}
