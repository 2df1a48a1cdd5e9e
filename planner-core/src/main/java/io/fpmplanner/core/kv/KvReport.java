/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One message about the KV cache and the load of one rank; what it does not say is empty. Counts are &ge; 0, shares finite
 * and &ge; 0.
 *
 * @param kind which message it was
 * @param workerId worker it is about, as in frames; empty where the message has none and the sender's address must do
 * @param dpRank data-parallel rank
 * @param runningRequests requests that run
 * @param maxRequests most requests that can run
 * @param waitingRequests requests that wait
 * @param usedTokens tokens in the KV cache
 * @param capacityTokens tokens that fit in it
 * @param usedBlocks blocks in use, of a size that the message does not say
 * @param usedShare share of the cache in use, 0 to 1
 * @param prefixHitShare share of prompt tokens found in the cache, 0 to 1
 */
public record KvReport(
        Kind kind,
        String workerId,
        OptionalInt dpRank,
        OptionalLong runningRequests,
        OptionalLong maxRequests,
        OptionalLong waitingRequests,
        OptionalLong usedTokens,
        OptionalLong capacityTokens,
        OptionalLong usedBlocks,
        OptionalDouble usedShare,
        OptionalDouble prefixHitShare) {

    KvReport withDpRank(int rank) {
        return new KvReport(
                kind,
                workerId,
                OptionalInt.of(rank),
                runningRequests,
                maxRequests,
                waitingRequests,
                usedTokens,
                capacityTokens,
                usedBlocks,
                usedShare,
                prefixHitShare);
    }

    /** The messages that are known. */
    public enum Kind {
        /** SGLang's, pushed at its log steps; what it calls blocks are tokens. */
        KV_METRICS,
        /** SGLang's, published every few steps and each second; by the scheduler itself. */
        LOAD_STAT,
        /** Dynamo's, on the event plane; names its worker. */
        ACTIVE_LOAD
    }
}
