/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.models.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the twin saw.
 *
 * @param stable whether queues stay bounded; if not, latencies grow for as long as the load lasts and none is told
 * @param ttft time to first token as a client sees it: in a pair with transfer, decode admission and the first step
 *     there; in a PREFILL pool alone until the prompt is computed, in a DECODE pool alone its own part. Empty if unstable
 * @param itl time between two tokens, over tokens; empty if unstable, without a pool that
 *     decodes, and where answers have one token
 * @param requestItl mean time between tokens of a request, over requests; empty likewise
 * @param attainment share of requests that meet the objectives; zeros if unstable
 * @param pools one entry a pool: prefill, then decode
 * @param evidence the least of the step regimes used: READY, WARMING, or EXTRAPOLATING beyond what was seen
 * @param extrapolation how far the usual largest batch (it is smaller 95 % of the time) lies beyond the largest seen; 1
 *     if it does not
 */
public record WhatIfAnswer(
        boolean stable,
        Optional<LatencySpread> ttft,
        Optional<LatencySpread> itl,
        Optional<LatencySpread> requestItl,
        Attainment attainment,
        List<PoolAnswer> pools,
        Evidence evidence,
        double extrapolation) {
    public WhatIfAnswer {
        pools = List.copyOf(pools);
    }

    /**
     * Share of requests that meet each objective, 0 to 1.
     *
     * @param ttft time to first token
     * @param itl mean time between tokens of the request; empty without a pool that decodes or if answers have one token
     * @param both all objectives at once
     */
    public record Attainment(double ttft, OptionalDouble itl, double both) {}

    /**
     * One pool.
     *
     * @param role its role
     * @param replicas replicas asked about
     * @param utilisation arrivals over what the saturated pool completes; above 1 queues grow
     * @param saturatedRequestsPerSecond what the pool completes when it never runs out of requests, by playing it; far from
     *     the edge, where it decides nothing, by formula
     * @param busyShare share of time in steps, 0 to 1
     * @param meanBatch mean requests decoding on a rank
     * @param meanQueue mean requests waiting on a rank
     * @param meanKvTokens mean tokens in the KV cache of a rank
     * @param ttft this pool's part of the time to first token; empty if unstable
     */
    public record PoolAnswer(
            Role role,
            int replicas,
            double utilisation,
            double saturatedRequestsPerSecond,
            double busyShare,
            double meanBatch,
            double meanQueue,
            double meanKvTokens,
            Optional<LatencySpread> ttft) {}
}
