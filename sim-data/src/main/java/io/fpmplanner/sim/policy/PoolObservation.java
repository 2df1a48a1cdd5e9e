/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.Optional;

/**
 * One pool at one moment. Immutable.
 *
 * @param id the pool
 * @param ready replicas that take requests
 * @param starting replicas ordered and not yet ready
 * @param draining replicas that finish what they have
 * @param load requests inside; empty while telemetry is out
 */
public record PoolObservation(String id, int ready, int starting, int draining, Optional<Load> load) {
    /** Replicas that were ordered and not given back. */
    public int ordered() {
        return ready + starting;
    }

    /**
     * Requests inside a pool.
     *
     * @param running requests that engines work on
     * @param waiting requests that wait for that, in engines or before the first one
     */
    public record Load(int running, int waiting) {}
}
