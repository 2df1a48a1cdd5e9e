/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepRegime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The coming second of some ranks, played forward many times from what their newest frames tell. */
final class RankTrials implements TwinListener {
    /*
     * Each play draws what the frames leave open (lengths, the progress of answers, arrivals since) and lets requests come to
     * some ranks. At random moments until the next tick others come that are followed until their own prefill begins. A view is
     * used until the next tick, and requests of a Poisson stream see time averages (Wolff 1982), so the moments are uniform.
     * The gaps between tokens are heard in the first plays.
     *
     * Cost is bounded by WORK, in steps and stretches of steps: fewer plays where each takes many. The part of the queue that
     * was left out waits at the pace of the second half of the rest, in which the batch has become what it will stay.
     */
    private static final int MOST_TRIALS = 56;
    private static final int FEWEST_TRIALS = 10;
    private static final int WORK = 9_000;
    private static final int GAP_PLAYS = 4;
    private static final double GAP_HORIZON_SECONDS = 2;
    private static final double GOLDEN = 0.6180339887498949;

    private final PoolView pool;
    private final List<RankView> ranks;
    private final StepSampler steps;
    private final RankPlay play;
    private final boolean hasTokens;
    private final double[] moments;

    private final TrialResults results = new TrialResults(MOST_TRIALS);

    private final TimeHistogram plainGaps = new TimeHistogram();
    private final TimeHistogram otherGaps = new TimeHistogram();
    private final TimeHistogram meanGaps = new TimeHistogram();
    private Optional<TimeHistogram> allGaps = Optional.empty();
    private boolean listening;
    private double gapSum;
    private double gapTokens;

    RankTrials(PoolView pool, List<RankView> ranks) {
        this.pool = pool;
        this.ranks = ranks;
        long seed = pool.nowNanos() * 0x9E3779B97F4A7C15L ^ ranks.size();
        this.steps = new StepSampler(pool.model().snapshot(), pool.load().gapSeconds(), seed);
        this.play = new RankPlay(pool, ranks, steps, this, results);
        this.hasTokens = pool.settings().role() != Role.PREFILL;
        this.moments = new double[play.engines()];
        steps.restart();
    }

    /** Plays the trials. */
    RankTrials run() {
        int heard = hasTokens ? GAP_PLAYS : 0;
        for (int i = 0; i < Math.max(heard, play.plays()); i++) {
            boolean asked = i < play.plays() && (results.count() < FEWEST_TRIALS || play.cost() < WORK);
            if (asked || i < heard) {
                play(i, asked, i < heard);
            }
        }
        play.drawBehind();
        drawErrors();
        if (hasTokens) {
            sumUpGaps();
        }
        return this;
    }

    private void play(int number, boolean asked, boolean heard) {
        play.begin(number);
        listening = heard;
        double now = asked ? ask(number) : 0;
        if (heard) {
            double horizon = Math.max(GAP_HORIZON_SECONDS, play.tickSeconds());
            play.arrivals(now, horizon);
            now = horizon;
            listening = false;
            hear();
        }
        if (asked) {
            play.follow(now);
        }
    }

    /** As many requests as engines play come at their moments; returns the last. */
    private double ask(int number) {
        for (int i = 0; i < moments.length; i++) {
            moments[i] = play.tickSeconds() * ((number * moments.length + i) * GOLDEN % 1);
        }
        Arrays.sort(moments);
        double now = 0;
        for (int i = 0; i < moments.length; i++) {
            play.arrivals(now, moments[i]);
            now = moments[i];
            play.probe(number + i, now);
        }
        return now;
    }

    private void drawErrors() {
        boolean beside = pool.limits().schedulingRule() == SchedulingRule.DECODE_FIRST;
        for (int i = 0; i < results.count(); i++) {
            boolean mixed = beside && results.decodes(i) > 0;
            results.err(i, steps.randomFactor(mixed ? StepRegime.MIXED : StepRegime.PREFILL));
        }
    }

    private void hear() {
        if (gapTokens > 0) {
            meanGaps.add(gapSum / gapTokens, gapTokens);
        }
        gapSum = 0;
        gapTokens = 0;
    }

    private void sumUpGaps() {
        if (plainGaps.isEmpty() && otherGaps.isEmpty()) {
            double alone = steps.decodeSeconds(
                    1, play.start().input.mean() + play.start().output.mean() / 2, 0);
            plainGaps.add(alone, 1);
            meanGaps.add(alone, 1);
        }
        TimeHistogram all = plainGaps.times(steps, StepRegime.DECODE);
        all.addAll(otherGaps);
        allGaps = Optional.of(all);
    }

    @Override
    public void onFirstToken(int request, double atSeconds) {}

    @Override
    public void onFinished(int request, double atSeconds) {}

    @Override
    public void onGap(double seconds, double tokens, StepRegime regime) {
        if (listening) {
            (regime == StepRegime.DECODE ? plainGaps : otherGaps).add(seconds, tokens);
            gapSum += seconds * tokens;
            gapTokens += tokens;
        }
    }

    Evidence evidence() {
        return steps.evidence();
    }

    /** How far what runs now lies beyond the largest seen; 1 if it does not. */
    double extrapolation() {
        double most = 1;
        for (RankView rank : ranks) {
            RankLoad load = rank.load();
            most = Math.max(most, steps.extrapolation(0, load.decodeRequests(), load.decodeKvTokens()));
        }
        return most;
    }

    /** For questions; each thread needs its own. */
    StepSampler sampler() {
        return new StepSampler(steps);
    }

    TrialResults results() {
        return results;
    }

    /** Of so many prompt tokens those that must be computed. */
    double uncached(double promptTokens) {
        return play.start().uncached(promptTokens);
    }

    /** Time between coming tokens; empty in a PREFILL pool. */
    Optional<TimeHistogram> gaps() {
        return allGaps;
    }

    /** The mean of it over the tokens of a trial. */
    TimeHistogram meanGaps() {
        return meanGaps;
    }
}
