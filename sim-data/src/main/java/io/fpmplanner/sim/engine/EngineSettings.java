/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Limits and rules of one simulated engine. Immutable; {@link #vllm} and {@link #sglang} begin one, the other methods vary it.
 *
 * @param kind phases it computes
 * @param order how it composes a step
 * @param maxBatchedTokens token budget of a step; &ge; maxSequences
 * @param maxSequences most requests that run at once; &ge; 1
 * @param kvCapacityTokens tokens that fit in the KV cache of a rank; &ge; kvBlockTokens
 * @param kvBlockTokens tokens per KV block (vLLM 16, SGLang 1 by default); &ge; 1
 * @param maxContextTokens longest prompt plus output that is accepted; &ge; 2
 * @param maxQueuedRequests requests that may wait at a rank; more are refused. &ge; 1
 * @param transfer decode-only engines: how long a KV cache is on its way
 * @param prefixCaching whether blocks of earlier prompts are found again by their hashes
 * @param speculation drafts and their acceptance
 * @param ranks data-parallel ranks that step together, each with its own queue and KV cache; in [1, 1024]
 * @param queueReport which waiting requests its records count
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
        KvTransfer transfer,
        boolean prefixCaching,
        Speculation speculation,
        int ranks,
        QueueReport queueReport) {
    private static final int MOST_RANKS = 1024;

    public EngineSettings {
        atLeast("maxSequences", maxSequences, 1);
        atLeast("maxBatchedTokens", maxBatchedTokens, maxSequences);
        atLeast("kvBlockTokens", kvBlockTokens, 1);
        atLeast("kvCapacityTokens", kvCapacityTokens, kvBlockTokens);
        atLeast("maxContextTokens", maxContextTokens, 2);
        atLeast("maxQueuedRequests", maxQueuedRequests, 1);
        atLeast("ranks", ranks, 1);
        if (ranks > MOST_RANKS) {
            throw new IllegalArgumentException("ranks must be at most " + MOST_RANKS + ", was " + ranks);
        }
    }

    /**
     * An aggregated engine of one rank in vLLM's manner: blocks of 16 tokens, prefix caching, contexts up to 32k, a queue of
     * 10,000, no speculation.
     */
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
                KvTransfer.NONE,
                true,
                Speculation.NONE,
                1,
                QueueReport.COMPLETE);
    }

    /** The like in SGLang's manner: prompts first, blocks of one token. */
    public static EngineSettings sglang(int maxBatchedTokens, int maxSequences, int kvCapacityTokens) {
        return vllm(maxBatchedTokens, maxSequences, kvCapacityTokens)
                .ordered(BatchingOrder.PREFILL_FIRST)
                .withKvBlockTokens(1);
    }

    /** The same engine with other phases; the transfer time, alike for all requests, counts for decode-only engines. */
    public EngineSettings as(EngineKind newKind, long kvTransferNanos) {
        return as(newKind, new KvTransfer(kvTransferNanos, 0));
    }

    /** The same engine with other phases; the transfer counts for decode-only engines. */
    public EngineSettings as(EngineKind newKind, KvTransfer newTransfer) {
        return copy(newKind, order, kvBlockTokens, maxContextTokens, newTransfer, prefixCaching, speculation, ranks);
    }

    /** The same engine with another rule of composing steps. */
    public EngineSettings ordered(BatchingOrder newOrder) {
        return copy(kind, newOrder, kvBlockTokens, maxContextTokens, transfer, prefixCaching, speculation, ranks);
    }

    /** The same engine with KV blocks of another size. */
    public EngineSettings withKvBlockTokens(int newKvBlockTokens) {
        return copy(kind, order, newKvBlockTokens, maxContextTokens, transfer, prefixCaching, speculation, ranks);
    }

    /** The same engine with another longest context. */
    public EngineSettings withMaxContextTokens(int newMaxContextTokens) {
        return copy(kind, order, kvBlockTokens, newMaxContextTokens, transfer, prefixCaching, speculation, ranks);
    }

    /** The same engine with or without a prefix cache. */
    public EngineSettings withPrefixCaching(boolean newPrefixCaching) {
        return copy(kind, order, kvBlockTokens, maxContextTokens, transfer, newPrefixCaching, speculation, ranks);
    }

    /** The same engine with speculative decoding. */
    public EngineSettings withSpeculation(Speculation newSpeculation) {
        return copy(kind, order, kvBlockTokens, maxContextTokens, transfer, prefixCaching, newSpeculation, ranks);
    }

    /** The same engine with so many data-parallel ranks, each of this size. */
    public EngineSettings withRanks(int newRanks) {
        return copy(kind, order, kvBlockTokens, maxContextTokens, transfer, prefixCaching, speculation, newRanks);
    }

    /** The same engine with another bound of its queue. */
    public EngineSettings withMaxQueuedRequests(int newMaxQueuedRequests) {
        return new EngineSettings(
                kind,
                order,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                kvBlockTokens,
                maxContextTokens,
                newMaxQueuedRequests,
                transfer,
                prefixCaching,
                speculation,
                ranks,
                queueReport);
    }

    /** The same engine with another way of counting what waits. */
    public EngineSettings withQueueReport(QueueReport newQueueReport) {
        return new EngineSettings(
                kind,
                order,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                kvBlockTokens,
                maxContextTokens,
                maxQueuedRequests,
                transfer,
                prefixCaching,
                speculation,
                ranks,
                newQueueReport);
    }

    private EngineSettings copy(
            EngineKind newKind,
            BatchingOrder newOrder,
            int newKvBlockTokens,
            int newMaxContextTokens,
            KvTransfer newTransfer,
            boolean newPrefixCaching,
            Speculation newSpeculation,
            int newRanks) {
        return new EngineSettings(
                newKind,
                newOrder,
                maxBatchedTokens,
                maxSequences,
                kvCapacityTokens,
                newKvBlockTokens,
                newMaxContextTokens,
                maxQueuedRequests,
                newTransfer,
                newPrefixCaching,
                newSpeculation,
                newRanks,
                queueReport);
    }

    private static void atLeast(String field, long value, long lowest) {
        if (value < lowest) {
            throw new IllegalArgumentException(field + " must be at least " + lowest + ", was " + value);
        }
    }
}
