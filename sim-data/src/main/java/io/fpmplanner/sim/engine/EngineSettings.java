/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Limits and rules of one simulated engine. Immutable.
 *
 * @param kind phases it computes
 * @param order how it composes a step
 * @param maxBatchedTokens token budget of a step; &ge; maxSequences
 * @param maxSequences most requests that run at once; &ge; 1
 * @param kvCapacityTokens tokens that fit in the KV cache; &ge; kvBlockTokens
 * @param kvBlockTokens tokens per KV block (vLLM 16, SGLang 1 by default); &ge; 1
 * @param maxContextTokens longest prompt plus output that is accepted; &ge; 2
 * @param maxQueuedRequests requests that may wait; more are refused. &ge; 1
 * @param kvTransferNanos decode-only engines: time to receive a KV cache once its blocks are free; &ge; 0
 */
public record EngineSettings(
        EngineKind kind,
        BatchingOrder order,
        int maxBatchedTokens,
        int maxSequences,
        int kvCapacityTokens,
        int kvBlockTokens,
        int maxContextTokens,
        int maxQueuedRequests,
        long kvTransferNanos) {
    public EngineSettings {
        atLeast("maxSequences", maxSequences, 1);
        atLeast("maxBatchedTokens", maxBatchedTokens, maxSequences);
        atLeast("kvBlockTokens", kvBlockTokens, 1);
        atLeast("kvCapacityTokens", kvCapacityTokens, kvBlockTokens);
        atLeast("maxContextTokens", maxContextTokens, 2);
        atLeast("maxQueuedRequests", maxQueuedRequests, 1);
        atLeast("kvTransferNanos", kvTransferNanos, 0);
    }

    /** An aggregated engine in vLLM's manner: blocks of 16 tokens, contexts up to 32k, a queue of 10,000, no transfer. */
    public static EngineSettings vllm(int maxBatchedTokens, int maxSequences, int kvCapacityTokens) {
        return new EngineSettings(
                EngineKind.AGGREGATED,
                BatchingOrder.DECODE_FIRST,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                16,
                32_768,
                10_000,
                0);
    }

    /** The same engine with other phases; the transfer time counts for decode-only engines. */
    public EngineSettings as(EngineKind newKind, long newKvTransferNanos) {
        return new EngineSettings(
                newKind,
                order,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                kvBlockTokens,
                maxContextTokens,
                maxQueuedRequests,
                newKvTransferNanos);
    }

    /** The same engine with another rule of composing steps. */
    public EngineSettings ordered(BatchingOrder newOrder) {
        return new EngineSettings(
                kind,
                newOrder,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                kvBlockTokens,
                maxContextTokens,
                maxQueuedRequests,
                kvTransferNanos);
    }

    private static void atLeast(String field, long value, long lowest) {
        if (value < lowest) {
            throw new IllegalArgumentException(field + " must be at least " + lowest + ", was " + value);
        }
    }
}
