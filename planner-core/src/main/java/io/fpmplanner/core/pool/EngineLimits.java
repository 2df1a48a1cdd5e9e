/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalLong;

/**
 * Limits of one engine rank that bound what it can schedule. FPM carries none of them, so they are configured.
 *
 * @param maxBatchedTokens token budget of one step (vLLM {@code max_num_batched_tokens}, SGLang {@code
 *     chunked_prefill_size}); &ge; 1
 * @param maxSequences most requests that run at once (vLLM {@code max_num_seqs}, SGLang {@code max_running_requests});
 *     &ge; 1
 * @param kvCapacityTokens tokens that fit in the KV cache of one rank; empty when not known
 * @param schedulingRule how prefill and decode share a step
 * @param contextTokens longest prompt and answer together (vLLM {@code max_model_len}, SGLang {@code context_length}); empty
 *     when not known
 */
public record EngineLimits(
        int maxBatchedTokens,
        int maxSequences,
        OptionalLong kvCapacityTokens,
        SchedulingRule schedulingRule,
        OptionalLong contextTokens) {
    public EngineLimits {
        Checks.atLeast("maxBatchedTokens", maxBatchedTokens, 1);
        Checks.atLeast("maxSequences", maxSequences, 1);
        kvCapacityTokens.ifPresent(tokens -> Checks.atLeast("kvCapacityTokens", tokens, 1));
        contextTokens.ifPresent(tokens -> Checks.atLeast("contextTokens", tokens, 1));
    }

    /** Limits of an engine whose longest context is not known. */
    public EngineLimits(
            int maxBatchedTokens, int maxSequences, OptionalLong kvCapacityTokens, SchedulingRule schedulingRule) {
        this(maxBatchedTokens, maxSequences, kvCapacityTokens, schedulingRule, OptionalLong.empty());
    }

    /** The longest request that such an engine accepts, prompt and answer together, tokens; empty when not known. */
    public OptionalLong longestRequestTokens() {
        return kvCapacityTokens.isPresent() && contextTokens.isPresent()
                ? OptionalLong.of(Math.min(kvCapacityTokens.getAsLong(), contextTokens.getAsLong()))
                : kvCapacityTokens.isPresent() ? kvCapacityTokens : contextTokens;
    }

    /** These limits with a KV capacity. */
    EngineLimits withKvCapacity(long tokens) {
        return new EngineLimits(maxBatchedTokens, maxSequences, OptionalLong.of(tokens), schedulingRule, contextTokens);
    }

    /** vLLM's defaults for online serving on large GPUs: 8192 tokens, 256 sequences, KV capacity unknown. */
    public static EngineLimits defaults() {
        return new EngineLimits(8192, 256, OptionalLong.empty(), SchedulingRule.DECODE_FIRST);
    }
}
