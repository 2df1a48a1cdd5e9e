/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some ranks as their newest frames tell, played forward with requests that come as they do at present. One thread. */
final class RankPlay {
    /*
     * The step that runs at the tick began when the newest frame came. An idle rank may be in a step nobody has heard of
     * yet, so its play begins a typical step earlier.
     *
     * States are drawn once for each of some ranks, one after the other, and over again if there are few;
     * a trial takes some that stand side by side, and no two trials the same ones. Drawing all of them anew for each trial
     * was half of the work and told no more: a request meets one rank.
     */
    private static final int GROUP = 8;
    private static final int STARTS = 48;
    private static final double LONGEST_TICK_SECONDS = 5;
    /** Requests a second and rank: more than any engine can take up, and few enough to hold those that then wait. */
    private static final double MOST_PER_SECOND = 500;
    /*
     * Below these requests are spread evenly. Prefill ranks are looked at between steps that empty them, where a router
     * that balances leaves about as much chance as there is; one that does not leaves queues, hence far more.
     */
    private static final double EVEN = 0.5;
    private static final double EVEN_PREFILL = 1.5;
    static final int OTHER = -1;

    private final Role role;
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

    RankPlay(PoolView pool, List<RankView> ranks, StepSampler steps, TwinListener listener) {
        this.role = pool.settings().role();
        this.ranks = ranks;
        this.steps = steps;
        this.start = new RankStart(pool, steps);
        this.engines = new EngineTwin[Math.min(GROUP, ranks.size())];
        this.leftOut = new double[engines.length];
        EngineLimits limits = pool.limits();
        for (int i = 0; i < engines.length; i++) {
            engines[i] = new EngineTwin(role, limits, steps, listener);
        }
        PoolLoad.Traffic traffic = pool.load().traffic();
        double live = Math.max(1, pool.liveRanks().count());
        this.ratePerRank = Math.min(MOST_PER_SECOND, traffic.requestsPerSecond().orElse(0) / live);
        double tick = pool.load().tick().seconds();
        this.tickSeconds = tick > 0 ? Math.min(tick, LONGEST_TICK_SECONDS) : 1;
        this.even = traffic.imbalance().orElse(0) < (role == Role.PREFILL ? EVEN_PREFILL : EVEN);
        this.hiddenSeconds = hiddenStepSeconds(pool);
        this.starts = new DrawnStart[starts(ranks.size())];
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

    private double hiddenStepSeconds(PoolView pool) {
        if (role == Role.DECODE) {
            return steps.decodeSeconds(1, start.input.mean(), 0);
        }
        double tokens = Math.min(
                start.uncached(start.input.mean()), pool.settings().limits().maxBatchedTokens());
        return steps.prefill(1, tokens, 0, 0).withPrefillSeconds(0, 0, 0);
    }

    /** All engines play. */
    void all() {
        group = engines.length;
    }

    /** Those play that are on the way of a request: where it goes without regard to loads, one. */
    void onTheWay() {
        group = even ? engines.length : 1;
    }

    /** Sets all engines to the moment of the view, each of a rank of its own. */
    void begin(int trial) {
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

    /** Time to the next arrival at a rank, drawn. */
    double gap() {
        return gap(ratePerRank);
    }

    private double gap(double rate) {
        return rate > 0 ? -Math.log(1 - steps.uniform()) / rate : Double.POSITIVE_INFINITY;
    }

    /** Sends a request, of a length that is drawn, to an engine; returns its prompt. */
    double submit(EngineTwin engine, int request) {
        double length = Math.rint(start.input.draw(steps));
        if (role == Role.DECODE) {
            engine.submit(request, length, 0, start.output.draw(steps));
        } else {
            double left = start.uncached(length);
            engine.submit(request, Math.max(0, length - left), left, start.output.draw(steps));
        }
        return length;
    }

    /** Lets requests come meanwhile, and all pass until then. */
    void arrivals(double fromSeconds, double untilSeconds) {
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

    /** The engine to which a request goes that comes now. */
    int choose() {
        int first = (int) (steps.uniform() * group);
        int best = first;
        for (int i = 1; even && i < group; i++) {
            int candidate = (first + i) % group;
            best = engines[candidate].inside() < engines[best].inside() ? candidate : best;
        }
        return best;
    }

    EngineTwin engine(int index) {
        return engines[index];
    }

    /** Prompt tokens that wait before an engine beside those in it. */
    double leftOut(int index) {
        return leftOut[index];
    }

    /** Until the next view comes, seconds. */
    double tickSeconds() {
        return tickSeconds;
    }

    RankStart start() {
        return start;
    }

    /** Steps and stretches of steps begun so far by those that play. */
    long cost() {
        long cost = 0;
        for (int i = 0; i < group; i++) {
            cost += engines[i].stepsStarted();
        }
        return cost;
    }
}
