/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a rank's engine said of its KV cache and load apart from frames; each value is the newest that was said, empty where
 * none was.
 *
 * @param endpoint where the newest of it came from
 * @param receivedNanos arrival of the newest of it
 * @param usedTokens tokens in the KV cache
 * @param capacityTokens tokens that fit in it
 * @param usedBlocks blocks in use, of a size not said
 * @param usedShare share of the cache in use, 0 to 1
 * @param runningRequests requests that run
 * @param maxRequests most requests that can run
 * @param waitingRequests requests that wait
 * @param prefixHitShare share of prompt tokens found in the cache, 0 to 1
 */
public record KvView(
        String endpoint,
        long receivedNanos,
        OptionalLong usedTokens,
        OptionalLong capacityTokens,
        OptionalLong usedBlocks,
        OptionalDouble usedShare,
        OptionalLong runningRequests,
        OptionalLong maxRequests,
        OptionalLong waitingRequests,
        OptionalDouble prefixHitShare) {

    /**
     * The KV telemetry of a pool as a whole.
     *
     * @param reports messages taken in since the start
     * @param refused messages about new ranks beyond the cap on ranks
     * @param unmatched ranks that are reported of and that no rank with frames could be found for
     * @param capacityTokensPerRank median of what is reported; empty when nobody reports it
     * @param usedShare mean over live ranks whose reports are fresh; empty when there is none
     */
    public record Summary(
            long reports, long refused, int unmatched, OptionalLong capacityTokensPerRank, OptionalDouble usedShare) {}
}
