/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import java.util.OptionalDouble;

/**
 * What came of one run. Immutable.
 *
 * @param requests that arrived
 * @param good of them, within the objective
 * @param refused of them, by engines or for want of one, or lost with a replica
 * @param unfinished of them when the run ended
 * @param gpuSeconds GPU time of replicas starting, serving and draining
 * @param ttft time to first token of the requests that got one
 * @param itl mean time between tokens of the requests that finished
 * @param scaleEvents decisions that changed what was ordered, over all pools
 * @param reversals of them that changed a pool in the other direction than the one before
 */
public record RunScore(
        long requests,
        long good,
        long refused,
        long unfinished,
        double gpuSeconds,
        Latency ttft,
        Latency itl,
        int scaleEvents,
        int reversals) {
    /** Share of requests within the objective; 1 if none arrived. */
    public double goodRate() {
        return requests == 0 ? 1 : (double) good / requests;
    }

    /** Good requests for each second of a GPU. */
    public double goodputPerGpu() {
        return gpuSeconds > 0 ? good / gpuSeconds : 0;
    }

    /** GPU time, hours. */
    public double gpuHours() {
        return gpuSeconds / 3600;
    }

    /**
     * Quantiles of a latency by nearest rank, seconds; empty when nothing was measured. Immutable.
     */
    public record Latency(OptionalDouble p50Seconds, OptionalDouble p90Seconds, OptionalDouble p99Seconds) {}
}
