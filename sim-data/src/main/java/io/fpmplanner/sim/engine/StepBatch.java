/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import java.util.Arrays;

/**
 * The composition of one step, request by request. Reused from step to step; laws read it and keep nothing of it.
 *
 * <p>Not threadsafe.
 */
public final class StepBatch {
    /*
     * Sums are kept as requests are added, so that a law and a record need no walk over the batch. Sums of squares are exact
     * integers: contexts stay below 2^20 tokens and batches below 2^20 requests.
     */
    private final Sequence[] sequences;
    private final int[] scheduledTokens;
    private int size;
    private int prefillRequests;
    private int prefillTokens;
    private long prefillContextTokens;
    private double prefillPairs;
    private int decodeRequests;
    private int decodeTokens;
    private long decodeContextTokens;
    private long decodeContextSquares;
    private int longestDecodeContext;

    StepBatch(int maxSequences) {
        this.sequences = new Sequence[maxSequences];
        this.scheduledTokens = new int[maxSequences];
    }

    void clear() {
        Arrays.fill(sequences, 0, size, null);
        size = 0;
        prefillRequests = 0;
        prefillTokens = 0;
        prefillContextTokens = 0;
        prefillPairs = 0;
        decodeRequests = 0;
        decodeTokens = 0;
        decodeContextTokens = 0;
        decodeContextSquares = 0;
        longestDecodeContext = 0;
    }

    void add(Sequence sequence, int tokens) {
        sequences[size] = sequence;
        scheduledTokens[size++] = tokens;
        int context = sequence.computedTokens;
        if (sequence.isPrefilling()) {
            prefillRequests++;
            prefillTokens += tokens;
            prefillContextTokens += context;
            prefillPairs += tokens * (context + 0.5 * tokens);
        } else {
            decodeRequests++;
            decodeTokens += tokens;
            decodeContextTokens += context;
            decodeContextSquares += (long) context * context;
            longestDecodeContext = Math.max(longestDecodeContext, context);
        }
    }

    Sequence sequence(int index) {
        return sequences[index];
    }

    /** Requests in the step. */
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** True when the {@code index}-th request computes prompt tokens, false when it decodes. */
    public boolean isPrefill(int index) {
        return sequences[index].isPrefilling();
    }

    /** Tokens that the {@code index}-th request computes in this step. */
    public int tokens(int index) {
        return scheduledTokens[index];
    }

    /** Tokens of the {@code index}-th request that are in the KV cache before this step. */
    public int contextTokens(int index) {
        return sequences[index].computedTokens;
    }

    /** Tokens of the {@code index}-th request that are to be in the KV cache before it decodes. */
    public int promptTokens(int index) {
        return sequences[index].prefillTarget;
    }

    public int prefillRequests() {
        return prefillRequests;
    }

    public int prefillTokens() {
        return prefillTokens;
    }

    /** Tokens of the prefilling requests that are in the KV cache before this step, summed. */
    public long prefillContextTokens() {
        return prefillContextTokens;
    }

    /** Query-key pairs of causal attention over the prompt chunks: the sum of {@code tokens * (context + tokens / 2)}. */
    public double prefillPairs() {
        return prefillPairs;
    }

    public int decodeRequests() {
        return decodeRequests;
    }

    /** Tokens the decoding requests compute: one each, and their drafts. */
    public int decodeTokens() {
        return decodeTokens;
    }

    /** Context of the decoding requests before this step, tokens, summed. */
    public long decodeContextTokens() {
        return decodeContextTokens;
    }

    /** Longest of those contexts, tokens. */
    public int longestDecodeContext() {
        return longestDecodeContext;
    }

    /** Population variance of those contexts, tokens squared. */
    double decodeContextVariance() {
        return LengthMoments.populationVariance(decodeRequests, decodeContextTokens, decodeContextSquares);
    }

    /** Tokens computed in this step; at most the engine's budget. */
    public int totalTokens() {
        return prefillTokens + decodeTokens;
    }
}
