/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request inside an engine. Mutable; owned by the engine.
 *
 * <p>As in vLLM, a request knows {@code inputTokens + generatedTokens} tokens, of which {@code computedTokens} are in the KV
 * cache. What is missing up to {@code prefillTarget} is prefill, also when it is computed for the second time.
 */
final class Sequence {
    final Request request;
    int generatedTokens;
    int computedTokens;
    int prefillTarget;
    /** KV blocks of its own, beside those of its cached prefix. */
    int kvBlocks;

    int prefixBlocks;
    /** What it left behind when it was preempted, the tokens before that, and how many of its blocks were full. */
    PrefixCache.@Nullable Residue residue;

    int residueAfterTokens;
    int residueFullBlocks;
    int prefixKvBlocks;
    boolean preempted;
    /** Was preempted and has been let in again. */
    boolean resumed;

    long firstTokenNanos;
    long transferDoneNanos;
    long transferOrder;

    Sequence(Request request) {
        this.request = request;
        this.prefillTarget = request.inputTokens();
        this.computedTokens = request.cachedTokens();
    }

    /** A request whose prompt and first token were computed elsewhere. */
    static Sequence prefilled(Request request, long firstTokenNanos) {
        Sequence sequence = new Sequence(request);
        sequence.computedTokens = request.inputTokens();
        sequence.generatedTokens = 1;
        sequence.firstTokenNanos = firstTokenNanos;
        return sequence;
    }

    boolean isPrefilling() {
        return computedTokens < prefillTarget;
    }

    /**
     * Tokens that could be computed in the next step.
     *
     * @param draftTokens drafts to be checked beside the next token of a decoding request
     */
    int remainingTokens(int draftTokens) {
        return isPrefilling() ? prefillTarget - computedTokens : 1 + draftTokens;
    }

    int remainingOutputTokens() {
        return request.outputTokens() - generatedTokens;
    }

    boolean isFinished() {
        return generatedTokens == request.outputTokens();
    }

    /** Forgets the KV cache; what was generated is kept and computed again as part of the prompt. */
    void preempt() {
        preempted = true;
        computedTokens = 0;
        prefillTarget = request.inputTokens() + generatedTokens;
    }

    /**
     * Accounts for computed prompt tokens.
     *
     * @return true if they brought a token
     */
    boolean prefilled(int tokens, long nowNanos) {
        computedTokens += tokens;
        if (computedTokens < prefillTarget) {
            return false;
        }
        if (generatedTokens++ == 0) {
            firstTokenNanos = nowNanos;
        }
        return true;
    }

    /** Accounts for a decoding step that brought so many tokens. */
    void decoded(int tokens) {
        computedTokens += tokens;
        generatedTokens += tokens;
    }
}
