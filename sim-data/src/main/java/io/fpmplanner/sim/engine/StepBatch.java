/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import java.util.Arrays;

/**
 * The composition of one step, request by request. Reused from step to step; laws read it and keep nothing of it.
 *
 * <p>Not threadsafe.
 */
public final class StepBatch {
    private final Sequence[] sequences;
    private final int[] scheduledTokens;
    private int size;
    private int prefillRequests;
    private int prefillTokens;
    private int decodeRequests;
    private long decodeContextTokens;
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
        decodeRequests = 0;
        decodeContextTokens = 0;
        longestDecodeContext = 0;
    }

    void add(Sequence sequence, int tokens) {
        sequences[size] = sequence;
        scheduledTokens[size++] = tokens;
        if (sequence.isPrefilling()) {
            prefillRequests++;
            prefillTokens += tokens;
        } else {
            decodeRequests++;
            decodeContextTokens += sequence.computedTokens;
            longestDecodeContext = Math.max(longestDecodeContext, sequence.computedTokens);
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

    public int prefillRequests() {
        return prefillRequests;
    }

    public int prefillTokens() {
        return prefillTokens;
    }

    public int decodeRequests() {
        return decodeRequests;
    }

    /** Context of the decoding requests before this step, tokens, summed. */
    public long decodeContextTokens() {
        return decodeContextTokens;
    }

    /** Longest of those contexts, tokens. */
    public int longestDecodeContext() {
        return longestDecodeContext;
    }

    /** Tokens computed in this step; at most the engine's budget. */
    public int totalTokens() {
        return prefillTokens + decodeRequests;
    }
}
