/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepRegime;
import java.util.List;
import java.util.Optional;

/** The coming second of some ranks, played forward many times from what their newest frames tell. */
final class RankTrials implements TwinListener {
    /*
     * Each trial draws what the frames leave open (lengths, the progress of answers, arrivals since), plays the ranks to a
     * random moment until the next tick, lets a request come then, and follows it until its own prefill begins. A view is
     * used until the next tick, and requests of a Poisson stream see time averages (Wolff 1982), so the moment is uniform.
     *
     * Cost is bounded by WORK, in steps and stretches of steps: fewer trials where each takes many. The part of the queue that
     * was left out waits at the pace of the second half of the rest, in which the batch has become what it will stay.
     */
    private static final int MOST_TRIALS = 48;
    private static final int FEWEST_TRIALS = 10;
    private static final int WORK = 9_000;
    private static final int MOST_STEPS = 1_500;
    private static final int MOST_BEHIND = 64;
    private static final int GAP_TRIALS = 4;
    private static final double GAP_HORIZON_SECONDS = 2;
    private static final int WATCHED = 1;

    private final PoolView pool;
    private final List<RankView> ranks;
    private final StepSampler steps;
    private final RankPlay play;
    private final boolean decodesBesidePrefill;

    private final TrialResults results = new TrialResults(MOST_TRIALS);

    private final TimeHistogram plainGaps = new TimeHistogram();
    private final TimeHistogram otherGaps = new TimeHistogram();
    private final TimeHistogram meanGaps = new TimeHistogram();
    private Optional<TimeHistogram> allGaps = Optional.empty();
    private boolean listening;
    private double gapSum;
    private double gapTokens;
    private double firstTokenSeconds;

    RankTrials(PoolView pool, List<RankView> ranks) {
        this.pool = pool;
        this.ranks = ranks;
        long seed = pool.nowNanos() * 0x9E3779B97F4A7C15L ^ ranks.size();
        this.steps = new StepSampler(pool.model().snapshot(), pool.load().gapSeconds(), seed);
        this.play = new RankPlay(pool, ranks, steps, this);
        this.decodesBesidePrefill = pool.limits().schedulingRule() == SchedulingRule.DECODE_FIRST;
        steps.restart();
    }

    /** Plays the trials. */
    RankTrials run() {
        play();
        if (pool.settings().role() != Role.PREFILL) {
            playGaps();
        }
        return this;
    }

    private void play() {
        play.onTheWay();
        long work = 0;
        for (int trial = 0; trial < MOST_TRIALS && (trial < FEWEST_TRIALS || work < WORK); trial++) {
            long before = play.cost();
            double moment = play.tickSeconds() * (trial * 0.6180339887498949 % 1);
            play.begin(trial);
            play.arrivals(0, moment);
            follow(play.choose(), moment);
            work += play.cost() - before;
        }
    }

    /** Lets the request come and plays its engine until its own prefill begins, or in a DECODE pool until its first token. */
    private void follow(int chosen, double moment) {
        EngineTwin engine = play.engine(chosen);
        boolean decode = pool.settings().role() == Role.DECODE;
        engine.watch(WATCHED);
        firstTokenSeconds = Double.POSITIVE_INFINITY;
        double aheadTokens = engine.waitingTokens();
        double prompt = play.submit(engine, WATCHED);
        double next = moment + play.gap();
        long most = engine.stepsStarted() + MOST_STEPS;
        int half = engine.waiting() / 2;
        double halfSeconds = moment;
        int behind = 0;
        while (!isSettled(engine, decode) && engine.stepsStarted() < most) {
            double event = engine.nextEventSeconds();
            if (next == Double.POSITIVE_INFINITY && event == Double.POSITIVE_INFINITY) {
                break;
            }
            if (next < event) {
                engine.advanceTo(next);
                play.submit(engine, RankPlay.OTHER);
                half++;
                /* Who is far behind changes nothing for whom is followed. */
                next = ++behind < MOST_BEHIND ? next + play.gap() : Double.POSITIVE_INFINITY;
            } else {
                engine.advanceTo(event);
            }
            halfSeconds = engine.waiting() >= half ? engine.nowSeconds() : halfSeconds;
        }
        double settled = decode ? firstTokenSeconds : engine.watched().startSeconds();
        double end = Math.min(settled, engine.nowSeconds());
        double wait = end - moment + play.leftOut(chosen) * (end - halfSeconds) / Math.max(1, aheadTokens / 2);
        boolean beside = decodesBesidePrefill && !engine.batch().isEmpty();
        results.add(engine, wait, steps.randomFactor(beside ? StepRegime.MIXED : StepRegime.PREFILL), prompt);
    }

    private boolean isSettled(EngineTwin engine, boolean decode) {
        double at = decode ? firstTokenSeconds : engine.watched().startSeconds();
        return at < Double.POSITIVE_INFINITY;
    }

    /** Plays on to hear how far apart the coming tokens are. */
    private void playGaps() {
        play.all();
        double horizon = Math.max(GAP_HORIZON_SECONDS, play.tickSeconds());
        for (int trial = 0; trial < GAP_TRIALS; trial++) {
            play.begin(trial);
            listening = true;
            gapSum = 0;
            gapTokens = 0;
            play.arrivals(0, horizon);
            listening = false;
            if (gapTokens > 0) {
                meanGaps.add(gapSum / gapTokens, gapTokens);
            }
        }
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
    public void onFirstToken(int request, double atSeconds) {
        if (request == WATCHED) {
            firstTokenSeconds = Math.min(firstTokenSeconds, atSeconds);
        }
    }

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
