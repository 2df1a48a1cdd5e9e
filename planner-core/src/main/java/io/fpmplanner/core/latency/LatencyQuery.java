/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request whose latency is asked for.
 *
 * @param inputTokens prompt length; 1 to {@value #MAX_INPUT_TOKENS}
 * @param cachedTokens how many of them are in the prefix cache of the worker, 0 to inputTokens; empty for the share that the
 *     pool's requests find there at present
 * @param workerId the worker it is sent to; empty when any may get it
 */
public record LatencyQuery(long inputTokens, OptionalLong cachedTokens, Optional<String> workerId) {
    /** Longest prompt that may be asked about. */
    public static final long MAX_INPUT_TOKENS = 1 << 24;

    public LatencyQuery {
        if (inputTokens < 1 || inputTokens > MAX_INPUT_TOKENS) {
            throw new IllegalArgumentException(
                    "inputTokens must lie between 1 and " + MAX_INPUT_TOKENS + ", was " + inputTokens);
        }
        long cached = cachedTokens.orElse(0);
        if (cached < 0 || cached > inputTokens) {
            throw new IllegalArgumentException(
                    "cachedTokens must lie between 0 and inputTokens (" + inputTokens + "), was " + cached);
        }
    }

    /** A request that may go to any worker and finds as much cached as others do. */
    public static LatencyQuery of(long inputTokens) {
        return new LatencyQuery(inputTokens, OptionalLong.empty(), Optional.empty());
    }

    /** A request of the length that the pool sees at present; of 512 tokens while that is not known. */
    public static LatencyQuery typical(PoolView pool) {
        PoolLoad load = pool.load();
        double uncached = 1 - Math.min(0.95, load.traffic().cachedShare().orElse(0));
        double waiting =
                load.queuedPrefillRequests() > 0 ? load.queuedPrefillTokens() / load.queuedPrefillRequests() : 512;
        double prompt = load.traffic().inputTokens().orElse(waiting * uncached) / uncached;
        if (pool.settings().role() == Role.DECODE) {
            prompt = load.traffic().contextTokens().orElse(prompt);
        }
        long input = Math.max(1, Math.min(MAX_INPUT_TOKENS, Math.round(prompt)));
        return of(input);
    }
}
