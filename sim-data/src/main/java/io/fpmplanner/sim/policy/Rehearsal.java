/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;

/** Plays the very run that is to come under given decisions. What no real autoscaler has. */
public interface Rehearsal {
    /** Seconds from the beginning to the end of the run. */
    int seconds();

    /** Arrivals by second, each of the given length: what will have to be served. */
    List<Arrival> arrivals();

    /** Plays the run with a policy and tells what came of it. */
    Outcome play(Autoscaler policy);

    /**
     * A request to come. Immutable.
     *
     * @param seconds since the beginning
     */
    record Arrival(double seconds, int inputTokens, int outputTokens) {}

    /**
     * What came of a rehearsal. Immutable.
     *
     * @param goodRate share of requests within the objective
     * @param good number of them
     * @param gpuSeconds GPU time of replicas starting, serving and draining
     */
    record Outcome(double goodRate, long good, double gpuSeconds) {
        /** Good requests for each second of a GPU. */
        public double goodputPerGpu() {
            return gpuSeconds > 0 ? good / gpuSeconds : 0;
        }
    }
}
