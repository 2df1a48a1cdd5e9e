/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SchedulingRule;
import io.fpmplanner.models.Evidence;
import io.fpmplanner.models.StepRegime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The coming second of some ranks, played forward many times from what their newest frames tell. */
final class RankTrials implements TwinListener {
    /*
     * Each trial draws what the frames leave open (lengths, the progress of answers, arrivals since), plays the ranks to a
     * random moment until the next tick, lets a request come then, and follows it until its own prefill begins. A view is
     * used until the next tick, and requests of a Poisson stream see time averages (Wolff 1982), so the moment is uniform.
     *
     * The step that runs at the tick began when the newest frame came. An idle rank may be in a step nobody has heard of
     * yet, so its play begins a typical step earlier.
     *
     * States are drawn once for each of some ranks, one after the other, and over again if there are few;
     * a trial takes some that stand side by side, and no two trials the same ones. Drawing all of them anew for each trial
     * was half of the work and told no more: a request meets one rank.
     *
     * Cost is bounded by WORK, in steps and stretches of steps: fewer trials where each takes many. The part of the queue that
     * was left out waits at the pace of the second half of the rest, in which the batch has become what it will stay.
     */
    private static final int MOST_TRIALS = 48;
    private static final int FEWEST_TRIALS = 10;
    private static final int WORK = 9_000;
    private static final int MOST_STEPS = 1_500;
    private static final int MOST_BEHIND = 64;
    private static final int GROUP = 8;
    private static final int STARTS = 48;
    private static final int GAP_TRIALS = 4;
    private static final double GAP_HORIZON_SECONDS = 2;
    private static final double LONGEST_TICK_SECONDS = 5;
    /*
     * Below these requests are spread evenly. Prefill ranks are looked at between steps that empty them, where a router
     * that balances leaves about as much chance as there is; one that does not leaves queues, hence far more.
     */
    private static final double EVEN = 0.5;
    private static final double EVEN_PREFILL = 1.5;
    private static final int WATCHED = 1;
    private static final int OTHER = -1;

    private final PoolView pool;
    private final List<RankView> ranks;
    private final StepSampler steps;
    private final RankStart start;
    private final EngineTwin[] engines;
    private final @Nullable DrawnStart[] starts;
    private final double[] leftOut;
    /** How many of the engines play. */
    private int group;

    private final double ratePerRank;
    private final double tickSeconds;
    private final double hiddenSeconds;
    private final boolean even;
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
        EngineLimits limits = pool.limits();
        long seed = pool.nowNanos() * 0x9E3779B97F4A7C15L ^ ranks.size();
        this.steps = new StepSampler(pool.model().snapshot(), pool.load().gapSeconds(), seed);
        this.start = new RankStart(pool, steps);
        this.engines = new EngineTwin[Math.min(GROUP, ranks.size())];
        this.leftOut = new double[engines.length];
        for (int i = 0; i < engines.length; i++) {
            engines[i] = new EngineTwin(pool.settings().role(), limits, steps, this);
        }
        PoolLoad.Traffic traffic = pool.load().traffic();
        double live = Math.max(1, pool.liveRanks().count());
        this.ratePerRank = traffic.requestsPerSecond().orElse(0) / live;
        double tick = pool.load().tick().seconds();
        this.tickSeconds = tick > 0 ? Math.min(tick, LONGEST_TICK_SECONDS) : 1;
        this.even = traffic.imbalance().orElse(0) < (pool.settings().role() == Role.PREFILL ? EVEN_PREFILL : EVEN);
        this.decodesBesidePrefill = limits.schedulingRule() == SchedulingRule.DECODE_FIRST;
        this.hiddenSeconds = hiddenStepSeconds();
        this.starts = new DrawnStart[starts(ranks.size())];
        steps.restart();
    }

    /** A multiple of the ranks, or if these are many, some of them. */
    private static int starts(int ranks) {
        return ranks >= STARTS ? STARTS : ranks * ((STARTS - 1) / ranks + 1);
    }

    /** The rank of a start: of more ranks than starts, some at even distances. */
    private RankView rank(int start) {
        int place = ranks.size() > starts.length
                ? (int) ((long) start * ranks.size() / starts.length)
                : start % ranks.size();
        return ranks.get(place);
    }

    private DrawnStart drawn(int place) {
        DrawnStart known = starts[place];
        if (known == null) {
            known = start.draw(rank(place).load());
            starts[place] = known;
        }
        return known;
    }

    /** Plays the trials. */
    RankTrials run() {
        play();
        if (pool.settings().role() != Role.PREFILL) {
            playGaps();
        }
        return this;
    }

    private double hiddenStepSeconds() {
        if (pool.settings().role() == Role.DECODE) {
            return steps.decodeSeconds(1, start.input.mean(), 0);
        }
        double tokens = Math.min(
                start.uncached(start.input.mean()), pool.settings().limits().maxBatchedTokens());
        return steps.prefill(1, tokens, 0, 0).withPrefillSeconds(0, 0, 0);
    }

    private void play() {
        /* Where requests go without regard to loads, what is not on the way of the one that is followed changes nothing. */
        group = even ? engines.length : 1;
        long work = 0;
        for (int trial = 0; trial < MOST_TRIALS && (trial < FEWEST_TRIALS || work < WORK); trial++) {
            long before = cost();
            double moment = tickSeconds * (trial * 0.6180339887498949 % 1);
            begin(trial);
            arrivals(0, moment);
            follow(choose(), moment);
            work += cost() - before;
        }
    }

    private long cost() {
        long cost = 0;
        for (int i = 0; i < group; i++) {
            cost += engines[i].stepsStarted();
        }
        return cost;
    }

    /** Sets all engines to the moment of the view, each of a rank of its own. */
    private void begin(int trial) {
        /* Further laps begin one place later each. */
        int first = trial * group + trial * group / starts.length;
        for (int i = 0; i < group; i++) {
            int place = (first + i) % starts.length;
            RankView rank = rank(place);
            RankLoad load = rank.load();
            boolean idle = load.decodeRequests()
                            + load.queuedPrefillRequests()
                            + load.queuedDecodeRequests()
                            + load.unfinishedChunkTokens()
                    <= 0;
            double age = Math.min(load.ageSeconds(), idle ? hiddenSeconds : tickSeconds + LONGEST_TICK_SECONDS);
            EngineTwin engine = engines[i];
            engine.at(rank.speed().factor());
            DrawnStart drawn = drawn(place);
            drawn.putInto(engine, -age);
            leftOut[i] = drawn.leftOut();
            engine.wake();
            engine.stillRunningAt(0);
            double at = -age + gap(ratePerRank);
            while (at < 0) {
                engine.advanceTo(at);
                submit(engine, OTHER);
                at += gap(ratePerRank);
            }
            engine.advanceTo(0);
        }
    }

    private double gap(double rate) {
        return rate > 0 ? -Math.log(1 - steps.uniform()) / rate : Double.POSITIVE_INFINITY;
    }

    private double submit(EngineTwin engine, int request) {
        double length = Math.rint(start.input.draw(steps));
        if (pool.settings().role() == Role.DECODE) {
            engine.submit(request, length, 0, start.output.draw(steps));
        } else {
            double left = start.uncached(length);
            engine.submit(request, Math.max(0, length - left), left, start.output.draw(steps));
        }
        return length;
    }

    private void arrivals(double fromSeconds, double untilSeconds) {
        double rate = ratePerRank * group;
        for (double at = fromSeconds + gap(rate); at < untilSeconds; at += gap(rate)) {
            advanceTo(at);
            submit(engines[choose()], OTHER);
        }
        advanceTo(untilSeconds);
    }

    private void advanceTo(double seconds) {
        for (int i = 0; i < group; i++) {
            engines[i].advanceTo(seconds);
        }
    }

    private int choose() {
        int first = (int) (steps.uniform() * group);
        int best = first;
        for (int i = 1; even && i < group; i++) {
            int candidate = (first + i) % group;
            best = engines[candidate].inside() < engines[best].inside() ? candidate : best;
        }
        return best;
    }

    /** Lets the request come and plays its engine until its own prefill begins, or in a DECODE pool until its first token. */
    private void follow(int chosen, double moment) {
        EngineTwin engine = engines[chosen];
        boolean decode = pool.settings().role() == Role.DECODE;
        engine.watch(WATCHED);
        firstTokenSeconds = Double.POSITIVE_INFINITY;
        double aheadTokens = engine.waitingTokens();
        double prompt = submit(engine, WATCHED);
        double next = moment + gap(ratePerRank);
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
                submit(engine, OTHER);
                half++;
                /* Who is far behind changes nothing for whom is followed. */
                next = ++behind < MOST_BEHIND ? next + gap(ratePerRank) : Double.POSITIVE_INFINITY;
            } else {
                engine.advanceTo(event);
            }
            halfSeconds = engine.waiting() >= half ? engine.nowSeconds() : halfSeconds;
        }
        double settled = decode ? firstTokenSeconds : engine.watched().startSeconds();
        double end = Math.min(settled, engine.nowSeconds());
        double wait = end - moment + leftOut[chosen] * (end - halfSeconds) / Math.max(1, aheadTokens / 2);
        boolean beside = decodesBesidePrefill && !engine.batch().isEmpty();
        results.add(engine, wait, steps.randomFactor(beside ? StepRegime.MIXED : StepRegime.PREFILL), prompt);
    }

    private boolean isSettled(EngineTwin engine, boolean decode) {
        double at = decode ? firstTokenSeconds : engine.watched().startSeconds();
        return at < Double.POSITIVE_INFINITY;
    }

    /** Plays on to hear how far apart the coming tokens are. */
    private void playGaps() {
        group = engines.length;
        double horizon = Math.max(GAP_HORIZON_SECONDS, tickSeconds);
        for (int trial = 0; trial < GAP_TRIALS; trial++) {
            begin(trial);
            listening = true;
            double rate = ratePerRank * group;
            gapSum = 0;
            gapTokens = 0;
            for (double at = gap(rate); at < horizon; at += gap(rate)) {
                advanceTo(at);
                submit(engines[choose()], OTHER);
            }
            advanceTo(horizon);
            listening = false;
            if (gapTokens > 0) {
                meanGaps.add(gapSum / gapTokens, gapTokens);
            }
        }
        if (plainGaps.isEmpty() && otherGaps.isEmpty()) {
            double alone = steps.decodeSeconds(1, start.input.mean() + start.output.mean() / 2, 0);
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
        return start.uncached(promptTokens);
    }

    double promptTokens() {
        return Math.max(1, start.uncached(start.input.mean()));
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
