/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Set;

/**
 * One entry of a pool's {@code sources}: where its frames come from. Its text is the entry as it is written, and reading
 * that gives an equal spec.
 */
public sealed interface SourceSpec
        permits TcpSource,
                TcpBindSource,
                IpcSource,
                DynamoSource,
                HttpSource,
                NdjsonSource,
                NatsSource,
                KvConnectSource,
                KvBindSource {
    /**
     * Reads an entry such as {@code tcp://10.0.0.7:20380}; the forms are those of {@link SourceScheme}.
     *
     * @throws IllegalArgumentException if it has none of the forms; the message says which is expected
     */
    static SourceSpec parse(String text) {
        return SourceScheme.parse(text.strip());
    }

    /** Endpoints that it is known to lead to before anything is looked up; at least 1. */
    int endpoints();

    /** Names of what it takes its frames from; only sources with a name in common are asked whether they overlap. */
    Set<String> keys();

    /** Whether one frame could reach the planner by both; asked only of sources with a key in common. */
    boolean overlaps(SourceSpec other);

    /** Whether pools may have such a source each, because its frames name their pool. */
    default boolean sharedByPools() {
        return false;
    }
}
