/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.llmd;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepTimePredictor;
import io.fpmplanner.models.StepTimeSnapshot;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.http.Problem;

/**
 * TTFT and ITL that a request would see on a pod in a given state, by the pool's step times. One thread.
 *
 * <p>Unlike a prediction for the pool's own ranks it knows no more of the pod than the router does: the queue is so many
 * requests of the pool's usual length, or so many tokens where the router counts them, and the batch so many requests that fill
 * the given share of the KV cache.
 */
final class PodLatency {
    /** The share of requests that see no more than what is predicted; what llm-d's predictor has too. */
    static final double QUANTILE = 0.9;
    /** Length of a prompt in the queue while the pool has not told its usual one. */
    private static final double UNKNOWN_PROMPT = 512;

    private final PoolLoad.Traffic traffic;
    private final EngineLimits limits;
    private final StepTimeSnapshot model;
    private final StepTimePredictor times;
    private final long longestTokens;
    private final double gapSeconds;
    private final StepWorkload step = new StepWorkload();

    /**
     * Whether such a pod can be told of.
     *
     * @throws IllegalArgumentException if the prompt is longer than a rank of the pool accepts, or steps would have to be more
     *     than {@value Problem#EXTRAPOLATION_BOUND} times as large as the largest seen; a pool that knows little more than its prior tells what that says
     */
    void requireKnown(PodState pod) {
        if (pod.inputTokens() > longestTokens) {
            throw new IllegalArgumentException("input_token_length must be a number from 0 to " + longestTokens
                    + ", the longest request that a rank accepts");
        }
        double own = Math.max(1, pod.inputTokens() * (1 - pod.cachedShare()));
        decode(pod, 1);
        step.prefill(1, Math.min(own, limits.maxBatchedTokens()), 0, 0);
        Evidence evidence = model.evidence(step);
        boolean ownExperience = evidence != Evidence.COLD && evidence != Evidence.WARMING;
        double factor = model.extrapolation(step);
        if (ownExperience && factor > Problem.EXTRAPOLATION_BOUND) {
            throw new TooFarException(factor);
        }
    }

    /** Step times as the pool has learned them; it must have learned something. */
    PodLatency(PoolView pool) {
        this.traffic = pool.load().traffic();
        this.limits = pool.limits();
        this.model = pool.model().snapshot();
        this.times = model.predictor();
        this.longestTokens = pool.settings().limits().longestRequestTokens().orElse(Long.MAX_VALUE);
        this.gapSeconds = pool.load().gapSeconds();
    }

    /**
     * The 90th percentile of the time to first token, seconds.
     *
     * <p>Half of the step that runs, then all that waits and the prompt itself in chunks beside the running batch. The spread is
     * that of one step, taken as if it were common to all of them, which is on the safe side.
     */
    double ttftSeconds(PodState pod) {
        double own = Math.max(1, pod.inputTokens() * (1 - pod.cachedShare()));
        double usual = traffic.inputTokens().orElse(pod.inputTokens() > 0 ? own : UNKNOWN_PROMPT);
        double ahead = pod.prefillTokensInFlight() > 0 ? pod.prefillTokensInFlight() : pod.waiting() * usual;
        double budget = Math.max(1, limits.maxBatchedTokens() - pod.running());
        double tokens = ahead + own;
        double full = Math.floor(tokens / budget);
        double rest = tokens - full * budget;
        double cached = pod.inputTokens() - own;
        double seconds = 0;
        if (pod.running() > 0) {
            seconds += mean(decode(pod, 0)) / 2;
        }
        if (full > 0) {
            seconds += full * mean(prefill(pod, budget, usual, Math.max(0, cached)));
        }
        if (rest > 0) {
            seconds += mean(prefill(pod, rest, usual, Math.max(0, cached)));
        }
        prefill(pod, full > 0 ? budget : Math.max(1, rest), usual, Math.max(0, cached));
        return seconds * times.quantileSeconds(step, QUANTILE) / times.meanSeconds(step);
    }

    /** The 90th percentile of the time between tokens with the request in the batch, seconds. */
    double itlSeconds(PodState pod) {
        return times.quantileSeconds(decode(pod, 1), QUANTILE) + gapSeconds;
    }

    private double mean(StepWorkload workload) {
        return times.meanSeconds(workload) + gapSeconds;
    }

    private StepWorkload prefill(PodState pod, double tokens, double usual, double kvTokens) {
        decode(pod, 0);
        double requests = Math.max(1, tokens / Math.max(1, usual));
        boolean told = requests > 1 && model.report().seen().knowsPromptVariance();
        double deviation = told ? traffic.inputDeviation().orElse(0) : 0;
        return step.prefill(requests, tokens, kvTokens, deviation * deviation);
    }

    /** The running batch, and so many requests of the asked kind with it. */
    private StepWorkload decode(PodState pod, double more) {
        double context = limits.kvCapacityTokens().isPresent()
                ? pod.kvShare() * limits.kvCapacityTokens().getAsLong()
                : pod.running() * traffic.contextTokens().orElse(pod.inputTokens());
        double requests = pod.running() + more;
        double deviation = requests > 1 ? traffic.contextDeviation().orElse(0) : 0;
        return step.clear()
                .decode(
                        requests,
                        Math.max(pod.running(), context) + more * Math.max(1, pod.inputTokens()),
                        deviation * deviation);
    }
}
