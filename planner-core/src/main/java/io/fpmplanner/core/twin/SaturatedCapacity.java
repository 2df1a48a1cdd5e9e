/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;

/** What one rank completes when requests never run out, in closed form. One thread. */
final class SaturatedCapacity {
    /*
     * PREFILL: full steps of whole or cut prompts. Else a batch b that never changes: each step generates b tokens and,
     * in the AGGREGATED role, must on average compute the prompts of the b / (output - 1) requests that finish in it.
     * With p prompt tokens a step and whole steps of c, a share p / c of the steps carries prefill (DECODE_FIRST), or is
     * preceded by a prefill step (PREFILL_FIRST). The rate b / (output - 1) / time is taken at the best b on a
     * geometric grid, for more is not always faster.
     */
    private static final double GRID = 1.15;

    private final Role role;
    private final EngineLimits limits;
    private final StepSampler steps;
    private final double prompt;
    private final double cached;
    private final double spread;
    private final double output;
    private final double context;
    private final double contextVariance;

    SaturatedCapacity(TwinPool pool, StepSampler steps, Workload workload) {
        this.role = pool.role();
        this.limits = pool.limits();
        this.steps = steps;
        double input = workload.inputTokens().mean();
        this.cached = input * workload.cachedShare();
        this.prompt = Math.max(1, input - cached);
        this.spread = workload.inputTokens().standardDeviation();
        this.output = Math.max(1, workload.outputTokens().mean());
        this.context = input + lengthBiasedHalf(workload);
        this.contextVariance = contextVariance(workload);
    }

    /** Mean tokens generated so far of a request met at random while it runs: E[o^2] / 2 E[o]. */
    private static double lengthBiasedHalf(Workload workload) {
        double mean = workload.outputTokens().mean();
        double deviation = workload.outputTokens().standardDeviation();
        return (mean * mean + deviation * deviation) / (2 * mean);
    }

    /** Of the context of a request met at random: prompt and tokens so far, E[o^3] / 3 E[o] in the square, as if log-normal. */
    private static double contextVariance(Workload workload) {
        double prompts = workload.inputTokens().standardDeviation();
        double mean = workload.outputTokens().mean();
        double relative = workload.outputTokens().standardDeviation() / mean;
        double skewed = 1 + relative * relative;
        return prompts * prompts + mean * mean * skewed * skewed * (skewed / 3 - 0.25);
    }

    /** Requests per second that one rank completes. */
    double requestsPerSecond() {
        if (role == Role.PREFILL) {
            return prefillRate();
        }
        if (role == Role.AGGREGATED && output < 2) {
            return prefillRate();
        }
        double best = 0;
        double most = largestBatch();
        for (double batch = 1; ; batch = Math.min(most, Math.ceil(batch * GRID))) {
            best = Math.max(best, batch / (generated() * secondsPerToken(batch)));
            if (batch >= most) {
                return best;
            }
        }
    }

    /** Tokens that a request gets from decode steps: the first one comes with the prefill. */
    private double generated() {
        return Math.max(1, output - 1);
    }

    double largestBatch() {
        double most = limits.maxSequences();
        if (limits.kvCapacityTokens().isPresent()) {
            most = Math.min(most, limits.kvCapacityTokens().getAsLong() / context);
        }
        if (limits.schedulingRule() == SchedulingRule.DECODE_FIRST) {
            most = Math.min(most, limits.maxBatchedTokens() - 1);
        }
        return Math.max(1, Math.floor(most));
    }

    double contextTokens() {
        return context;
    }

    /** Mean time between tokens in a batch of that size whose leavers are replaced, seconds; infinite if they cannot be. */
    double secondsPerToken(double batch) {
        double alone = steps.decodeSeconds(batch, batch * context, batch > 1 ? contextVariance : 0);
        if (role == Role.DECODE) {
            return alone;
        }
        boolean decodeFirst = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        double perStep = batch / generated() * prompt;
        double room = limits.maxBatchedTokens() - (decodeFirst ? batch : 0);
        if (decodeFirst && perStep > room) {
            /* Decodes wait for their successors: the prompts set the pace. */
            return perStep / room * withPrefill(room, batch);
        }
        double chunk = Math.max(perStep, Math.min(room, prompt));
        double share = perStep / chunk;
        double beside = decodeFirst ? batch : 0;
        double with = withPrefill(chunk, beside);
        return decodeFirst ? alone + share * (with - alone) : alone + share * with;
    }

    private double withPrefill(double tokens, double decodes) {
        double requests = Math.max(1, tokens / prompt);
        double earlier = prompt > tokens ? (prompt - tokens) / 2 : 0;
        return steps.prefill(requests, tokens, requests * (cached + earlier), requests > 1 ? spread * spread : 0)
                .withPrefillSeconds(decodes, decodes * context, decodes > 1 ? contextVariance : 0);
    }

    private double prefillRate() {
        double tokens = limits.maxBatchedTokens();
        return tokens / prompt / withPrefill(tokens, 0);
    }
}
