/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.SchedulingRule;

/** The steps in which the prompt of a request that is asked for is computed, beside what each trial found. One thread. */
final class OwnPrefill {
    private final TrialResults results;
    private final StepSampler steps;
    private final double budgetTokens;
    private final boolean besideDecodes;

    OwnPrefill(TrialResults results, EngineLimits limits, StepSampler steps) {
        this.results = results;
        this.steps = steps;
        this.budgetTokens = limits.maxBatchedTokens();
        this.besideDecodes = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
    }

    /**
     * Mean time from the start of its first step to its first token in that trial, seconds.
     *
     * @param tokens of the prompt to be computed
     * @param cached tokens of it found in the cache
     */
    double seconds(int trial, double tokens, double cached) {
        double prompt = tokens + cached;
        double budget = Math.max(1, budgetTokens - (besideDecodes ? results.decodes(trial) : 0));
        double ahead = Math.min(results.tokensAhead(trial), budget - 1);
        if (ahead + tokens <= budget) {
            return lastStep(trial, ahead, tokens, prompt - tokens);
        }
        double seconds = step(
                trial,
                results.chunksAhead(trial) + 1,
                budget,
                results.kvTokensAhead(trial) + cached,
                results.lengthVariance(trial, 1, prompt, prompt * prompt));
        double left = tokens - (budget - ahead);
        double whole = Math.ceil(left / budget) - 1;
        if (whole > 0) {
            seconds += whole * step(trial, 1, budget, prompt - left + budget * (whole - 1) / 2, 0);
            left -= whole * budget;
        }
        return seconds + lastStep(trial, 0, left, prompt - left);
    }

    /** The step that ends the prompt, in which there may be room for those behind it. */
    private double lastStep(int trial, double ahead, double left, double done) {
        double budget = Math.max(1, budgetTokens - (besideDecodes ? results.decodes(trial) : 0));
        double behind = Math.min(results.tokensBehind(trial), budget - ahead - left);
        double share = behind > 0 ? behind / results.tokensBehind(trial) : 0;
        double prompt = done + left;
        double others = 1 + share * results.requestsBehind(trial);
        double lengths = prompt + share * results.lengthsBehind(trial);
        double squares = prompt * prompt + share * results.squaredLengthsBehind(trial);
        if (ahead <= 0) {
            return step(trial, others, left + behind, done, TwinPrompts.variance(others, lengths, squares));
        }
        return step(
                trial,
                results.chunksAhead(trial) + others,
                ahead + left + behind,
                results.kvTokensAhead(trial) + done,
                results.lengthVariance(trial, others, lengths, squares));
    }

    private double step(int trial, double chunks, double tokens, double kvTokens, double lengthVariance) {
        steps.prefill(chunks, tokens, kvTokens, lengthVariance);
        return besideDecodes
                ? steps.withPrefillSeconds(
                        results.decodes(trial), results.contextTokens(trial), results.contextVariance(trial))
                : steps.withPrefillSeconds(0, 0, 0);
    }
}
