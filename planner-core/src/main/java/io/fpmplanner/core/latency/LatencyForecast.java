/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.latency.LatencyPrediction.SloShare;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.models.Evidence;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What requests will see that come to some ranks in the second after a view of their pool was taken. Made once a view and
 * then asked about any length at little cost. Threadsafe.
 */
final class LatencyForecast {
    /*
     * Trials (RankTrials) say when a request's own prefill begins and what it shares its first step with; its own
     * steps, which depend on its length, are added here. The error of each trial's steps is part of the trial.
     */
    private final PoolView pool;
    private final RankTrials trials;
    private final TrialResults results;
    private final Evidence evidence;
    /** Asked for by each plan and by whoever reads it; any thread works out the same. */
    private volatile LatencyPrediction.@Nullable Predicted typical;

    LatencyForecast(PoolView pool, RankTrials trials, boolean stale) {
        this.pool = pool;
        this.trials = trials;
        this.results = trials.results();
        this.evidence = stale ? Evidence.STALE : trials.evidence();
    }

    /** For a request of typical length: as the lengths of requests vary, so does the answer. */
    LatencyPrediction.Predicted typical() {
        LatencyPrediction.Predicted known = typical;
        if (known == null) {
            known = workOutTypical();
            typical = known;
        }
        return known;
    }

    private LatencyPrediction.Predicted workOutTypical() {
        double[] ttft = new double[results.count()];
        OwnPrefill own = new OwnPrefill(results, pool.settings().limits(), trials.sampler());
        for (int i = 0; i < ttft.length; i++) {
            double prompt = results.promptTokens(i);
            double uncached = trials.uncached(prompt);
            ttft[i] = ttft(i, uncached, prompt - uncached, own);
        }
        return answer(ttft, trials.extrapolation());
    }

    LatencyPrediction.Predicted predict(LatencyQuery query) {
        double[] ttft = new double[results.count()];
        StepSampler steps = trials.sampler();
        OwnPrefill prefill = new OwnPrefill(results, pool.settings().limits(), steps);
        double uncached = uncached(query);
        for (int i = 0; i < ttft.length; i++) {
            ttft[i] = ttft(i, uncached, query.inputTokens() - uncached, prefill);
        }
        double inOneStep = Math.min(uncached, pool.settings().limits().maxBatchedTokens());
        double own = pool.settings().role() == Role.DECODE
                ? 1
                : Math.max(
                        steps.extrapolation(inOneStep, 0, 0),
                        uncached > inOneStep ? steps.contextExtrapolation((double) query.inputTokens()) : 1);
        return answer(ttft, Math.max(own, trials.extrapolation()));
    }

    /** Tokens that must be computed: at least one, for engines recompute the last token of a fully cached prompt. */
    private double uncached(LatencyQuery query) {
        double input = (double) query.inputTokens();
        return query.cachedTokens().isEmpty()
                ? trials.uncached(input)
                : Math.max(1, input - query.cachedTokens().getAsLong());
    }

    private LatencyPrediction.Predicted answer(double[] ttft, double extrapolation) {
        SloTarget slo = pool.settings().slo();
        double within = Arrays.stream(ttft)
                        .filter(seconds -> seconds <= slo.ttftSeconds())
                        .count()
                / (double) ttft.length;
        Optional<TimeHistogram> gaps = trials.gaps();
        return new LatencyPrediction.Predicted(
                spread(ttft),
                gaps.flatMap(TimeHistogram::spread),
                new SloShare(
                        within,
                        gaps.isPresent()
                                ? OptionalDouble.of(trials.meanGaps().shareWithin(slo.itlSeconds()))
                                : OptionalDouble.empty()),
                results.meanWaitSeconds(),
                evidence == Evidence.READY && extrapolation > 1 ? Evidence.EXTRAPOLATING : evidence,
                pool.dataAgeSeconds(),
                extrapolation);
    }

    /** Time to first token in one trial, seconds. In a DECODE pool no prompt is computed. */
    private double ttft(int trial, double tokens, double cached, OwnPrefill own) {
        double wait = results.waitSeconds(trial);
        return pool.settings().role() == Role.DECODE
                ? wait
                : wait + own.seconds(trial, tokens, cached) * results.factor(trial);
    }

    private static LatencySpread spread(double[] values) {
        Arrays.sort(values);
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return new LatencySpread(sum / values.length, at(values, 0.5), at(values, 0.9), at(values, 0.99));
    }

    /** Hazen's quantile: the i-th of n values stands for the probability (i - 1/2) / n. */
    private static double at(double[] sorted, double probability) {
        double place = probability * sorted.length - 0.5;
        int below = (int) Math.max(0, Math.min(sorted.length - 1, Math.floor(place)));
        int above = Math.min(sorted.length - 1, below + 1);
        double share = Math.max(0, Math.min(1, place - below));
        return sorted[below] + share * (sorted[above] - sorted[below]);
    }
}
