/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.RankView;
import io.fpmplanner.core.pool.Role;
import java.util.List;

/** Some ranks as their newest frames tell, played forward with requests that come as they do at present. One thread. */
final class RankPlay {
    /*
     * The step that runs at the tick began when the newest frame came. An idle rank may be in a step nobody has heard of
     * yet, so its play begins a typical step earlier.
     *
     * A play takes some ranks, at even distances, and the next one those beside them; together they have STARTS states.
     * Each state is drawn once and played once: several requests are followed in one play, as many as engines play, for
     * a play that follows one of eight engines tells no more of them than its loads.
     */
    private static final int GROUP = 8;
    private static final int STARTS = 48;
    private static final int MOST_STEPS = 1_500;
    private static final int MOST_BEHIND = 64;
    private static final double LONGEST_TICK_SECONDS = 5;
    /** Requests a second and rank: more than any engine can take up, and few enough to hold those that then wait. */
    private static final double MOST_PER_SECOND = 500;
    /*
     * Below these requests are spread evenly. Prefill ranks are looked at between steps that empty them, where a router
     * that balances leaves about as much chance as there is; one that does not leaves queues, hence far more.
     */
    private static final double EVEN = 0.5;
    private static final double EVEN_PREFILL = 1.5;
    private static final int OTHER = -1;

    private final Role role;
    private final List<RankView> ranks;
    private final StepSampler steps;
    private final RankStart start;
    private final EngineTwin[] engines;
    private final TrialResults results;
    private final int plays;
    private final double[] leftOut;
    private final double ratePerRank;
    private final double tickSeconds;
    private final double hiddenSeconds;
    private final boolean even;
    private final double budgetTokens;

    RankPlay(PoolView pool, List<RankView> ranks, StepSampler steps, TwinListener listener, TrialResults results) {
        this.role = pool.settings().role();
        this.ranks = ranks;
        this.steps = steps;
        this.results = results;
        this.start = new RankStart(pool, steps);
        this.engines = new EngineTwin[Math.min(GROUP, ranks.size())];
        this.leftOut = new double[engines.length];
        EngineLimits limits = pool.limits();
        this.budgetTokens = limits.maxBatchedTokens();
        for (int i = 0; i < engines.length; i++) {
            engines[i] = new EngineTwin(role, limits, steps, listener, results);
        }
        PoolLoad.Traffic traffic = pool.load().traffic();
        double live = Math.max(1, pool.liveRanks().count());
        this.ratePerRank = Math.min(MOST_PER_SECOND, traffic.requestsPerSecond().orElse(0) / live);
        double tick = pool.load().tick().seconds();
        this.tickSeconds = tick > 0 ? Math.min(tick, LONGEST_TICK_SECONDS) : 1;
        this.even = traffic.imbalance().orElse(0) < (role == Role.PREFILL ? EVEN_PREFILL : EVEN);
        this.hiddenSeconds = hiddenStepSeconds(pool);
        this.plays = (STARTS + engines.length - 1) / engines.length;
    }

    /** So many plays have all states. */
    int plays() {
        return plays;
    }

    /** The rank of an engine in a play. */
    private RankView rank(int play, int engine) {
        return ranks.get((engine * plays + play) * ranks.size() / (engines.length * plays));
    }

    private double hiddenStepSeconds(PoolView pool) {
        if (role == Role.DECODE) {
            return steps.decodeSeconds(1, start.input.mean(), 0);
        }
        double tokens = Math.min(
                start.uncached(start.input.mean()), pool.settings().limits().maxBatchedTokens());
        return steps.prefill(1, tokens, 0, 0).withPrefillSeconds(0, 0, 0);
    }

    /** Sets all engines to the moment of the view, each of a rank of its own. */
    void begin(int play) {
        for (int i = 0; i < engines.length; i++) {
            RankView rank = rank(play, i);
            RankLoad load = rank.load();
            boolean idle = load.decodeRequests()
                            + load.queuedPrefillRequests()
                            + load.queuedDecodeRequests()
                            + load.unfinishedChunkTokens()
                    <= 0;
            double age = Math.min(load.ageSeconds(), idle ? hiddenSeconds : tickSeconds + LONGEST_TICK_SECONDS);
            EngineTwin engine = engines[i];
            engine.at(rank.speed().factor());
            engine.reset(-age);
            leftOut[i] = start.draw(load, engine);
            engine.wake();
            engine.stillRunningAt(0);
            double at = -age + gap(ratePerRank);
            while (at < 0) {
                engine.advanceTo(at);
                submit(engine);
                at += gap(ratePerRank);
            }
            engine.advanceTo(0);
        }
    }

    private double gap(double rate) {
        return rate > 0 ? -Math.log(1 - steps.uniform()) / rate : Double.POSITIVE_INFINITY;
    }

    /** Sends a request, of a length that is drawn, to an engine. */
    private void submit(EngineTwin engine) {
        double length = Math.rint(start.input.draw(steps));
        double left = left(length);
        engine.submit(OTHER, Math.max(0, length - left), left, start.output.draw(steps));
    }

    /** Prompt tokens that the engine must compute. */
    private double left(double promptTokens) {
        return role == Role.DECODE ? 0 : start.uncached(promptTokens);
    }

    /** Lets requests come meanwhile, and all pass until then. */
    void arrivals(double fromSeconds, double untilSeconds) {
        double rate = ratePerRank * engines.length;
        for (double at = fromSeconds + gap(rate); at < untilSeconds; at += gap(rate)) {
            advanceTo(at);
            submit(engines[choose()]);
        }
        advanceTo(untilSeconds);
    }

    private void advanceTo(double seconds) {
        for (EngineTwin engine : engines) {
            engine.advanceTo(seconds);
        }
    }

    /** The engine to which a request goes that comes now. */
    private int choose() {
        int first = (int) (steps.uniform() * engines.length);
        int best = first;
        for (int i = 1; even && i < engines.length; i++) {
            int candidate = (first + i) % engines.length;
            best = engines[candidate].inside() < engines[best].inside() ? candidate : best;
        }
        return best;
    }

    /** Follows a request that comes now: where requests go without regard to loads, to an engine nobody followed goes to. */
    void probe(int turn, double atSeconds) {
        int chosen = even ? choose() : turn % engines.length;
        EngineTwin engine = engines[chosen];
        double length = Math.rint(start.input.draw(steps));
        double left = left(length);
        double unplayed = leftOut[chosen] > 0 ? leftOut[chosen] / Math.max(1, engine.waitingTokens() / 2) : 0;
        engine.probe(
                results.begin(atSeconds, length, unplayed), Math.max(0, length - left), left, start.output.draw(steps));
    }

    /** Plays each engine on until whoever is followed there has had its turn. */
    void follow(double fromSeconds) {
        for (EngineTwin engine : engines) {
            if (engine.probes() > 0) {
                follow(engine, fromSeconds);
            }
        }
    }

    private void follow(EngineTwin engine, double fromSeconds) {
        long most = engine.stepsStarted() + MOST_STEPS;
        double next = fromSeconds + gap(ratePerRank);
        int behind = 0;
        while (engine.probes() > 0 && engine.stepsStarted() < most) {
            double event = engine.nextEventSeconds();
            if (next == Double.POSITIVE_INFINITY && event == Double.POSITIVE_INFINITY) {
                break;
            }
            if (next < event) {
                engine.advanceTo(next);
                submit(engine);
                /* Who is far behind changes nothing for whom is followed. */
                next = ++behind < MOST_BEHIND ? next + gap(ratePerRank) : Double.POSITIVE_INFINITY;
            } else {
                engine.advanceTo(event);
            }
        }
        engine.giveUpProbes();
    }

    /*
     * Who comes to the same engine while a request waits. Not those of the play: a router that looks at loads sends fewer after it,
     * and there it is not seen.
     */
    void drawBehind() {
        for (int i = 0; role != Role.DECODE && i < results.count(); i++) {
            double until = results.playedSeconds(i);
            double at = gap(ratePerRank);
            for (int k = 0; k < MOST_BEHIND && at < until && results.tokensBehind(i) < budgetTokens; k++) {
                double length = Math.rint(start.input.draw(steps));
                results.behind(i, length, start.uncached(length));
                at += gap(ratePerRank);
            }
        }
    }

    /** So many play. */
    int engines() {
        return engines.length;
    }

    /** Until the next view comes, seconds. */
    double tickSeconds() {
        return tickSeconds;
    }

    RankStart start() {
        return start;
    }

    /** Steps and stretches of steps begun so far. */
    long cost() {
        long cost = 0;
        for (EngineTwin engine : engines) {
            cost += engine.stepsStarted();
        }
        return cost;
    }
}
