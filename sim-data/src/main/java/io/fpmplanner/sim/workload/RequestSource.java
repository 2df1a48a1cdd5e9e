/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

/**
 * Requests in order of arrival, drawn or recorded. Not threadsafe.
 *
 * <p>Request ids must be unique within a source, and within a fleet when its records are to be told apart by id.
 */
public interface RequestSource {
    /** Arrival of the request that {@link #next()} will return; {@link Long#MAX_VALUE} when the source is over. */
    long nextArrivalNanos();

    /**
     * Takes the next request.
     *
     * @throws java.util.NoSuchElementException when the source is over
     */
    Request next();

    /** Rate at a time on the simulation's clock, requests per second; 0 where a recording does not say. */
    default double requestsPerSecond(long nowNanos) {
        return 0;
    }
}
