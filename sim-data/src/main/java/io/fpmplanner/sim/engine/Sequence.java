/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.workload.Request;

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
    int kvBlocks;
    boolean preempted;
    long firstTokenNanos;
    long transferDoneNanos;

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

    /** Tokens that could be computed in the next step. */
    int remainingTokens() {
        return isPrefilling() ? prefillTarget - computedTokens : 1;
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
     * Accounts for a computed step.
     *
     * @return true if it brought a token
     */
    boolean advance(int tokens, long nowNanos) {
        boolean sampled = computedTokens + tokens >= prefillTarget;
        computedTokens += tokens;
        if (sampled && generatedTokens++ == 0) {
            firstTokenNanos = nowNanos;
        }
        return sampled;
    }
}
