/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.latency.StepTimes.PrefillChunk;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.core.pool.StepMix;

/** Time between tokens of the requests that run on a rank over its coming steps. */
final class ItlEstimate {
    /*
     * DECODE_FIRST: each step yields a token, and a share of the steps carries prefill besides. That share is what was
     * seen lately, but for the coming HORIZON steps it is at least what the present queue will cause.
     * PREFILL_FIRST: a token takes a decode step, and now and then a burst of prefill-only steps before it.
     */
    private static final double HORIZON_STEPS = 32;
    private static final double[] PROBABILITIES = {0.1, 0.3, 0.5, 0.7, 0.9};

    private final StepTimes times;

    ItlEstimate(StepTimes times) {
        this.times = times;
    }

    /**
     * Adds the distribution in one state of a rank.
     *
     * @param share weight of the state; it is multiplied by the requests that run in it
     * @param runningWhenIdle what that is multiplied by when none runs
     */
    void add(RankMoment moment, StepMix mix, double share, double runningWhenIdle, WeightedSamples into) {
        RankLoad load = moment.load();
        double batch = load.decodeRequests();
        double kvTokens = load.decodeKvTokens();
        if (moment.role() == Role.DECODE) {
            double admitted = Math.min(load.queuedDecodeRequests(), Math.max(0, moment.maxRunning() - batch));
            batch += admitted;
            kvTokens += admitted * moment.contextTokens();
        }
        double weight = share * (batch > 0 ? batch : runningWhenIdle);
        if (weight <= 0) {
            return;
        }
        if (batch <= 0) {
            batch = 1;
            kvTokens = moment.contextTokens();
        }
        if (moment.limits().schedulingRule() == SchedulingRule.DECODE_FIRST) {
            addMixed(moment, mix, batch, kvTokens, weight, into);
        } else {
            addStalled(mix, batch, kvTokens, weight, into);
        }
    }

    private void addMixed(
            RankMoment moment, StepMix mix, double batch, double kvTokens, double weight, WeightedSamples into) {
        double room = Math.max(1, moment.limits().maxBatchedTokens() - batch);
        double pending = batch < moment.maxRunning() ? moment.pendingPrefillTokens() : 0;
        double filling = Math.min(HORIZON_STEPS, Math.ceil(pending / room));
        double usual = mix.mixedShare() * (HORIZON_STEPS - filling);
        double share = (filling + usual) / HORIZON_STEPS;
        if (share > 0) {
            PrefillChunk usually = usualChunk(mix);
            double tokens = (filling * Math.min(room, pending) + usual * usually.tokens()) / (filling + usual);
            PrefillChunk chunk = new PrefillChunk(
                    Math.max(1, tokens / moment.promptTokens()), Math.max(1, tokens), usually.kvTokens());
            times.mixed(chunk, batch, kvTokens);
            addQuantiles(weight * share, 0, into);
        }
        if (share < 1) {
            times.decode(batch, kvTokens);
            addQuantiles(weight * (1 - share), 0, into);
        }
    }

    private static PrefillChunk usualChunk(StepMix mix) {
        if (mix.mixedSteps() == 0) {
            return new PrefillChunk(0, 0, 0);
        }
        double steps = mix.mixedSteps();
        StepMix.PrefillSums sums = mix.mixedPrefill();
        return new PrefillChunk(sums.requests() / steps, sums.tokens() / steps, sums.kvTokens() / steps);
    }

    private void addStalled(StepMix mix, double batch, double kvTokens, double weight, WeightedSamples into) {
        double share = mix.stallShare();
        times.decode(batch, kvTokens);
        if (share > 0) {
            double stall = (mix.stalledSeconds() + mix.stalledSteps() * times.gapSeconds()) / mix.stalls();
            addQuantiles(weight * share, stall, into);
        }
        if (share < 1) {
            addQuantiles(weight * (1 - share), 0, into);
        }
    }

    private void addQuantiles(double weight, double extraSeconds, WeightedSamples into) {
        for (double probability : PROBABILITIES) {
            into.add(times.quantileSeconds(probability) + extraSeconds, weight / PROBABILITIES.length);
        }
    }
}
