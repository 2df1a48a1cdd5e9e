/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.twin.WhatIfAnswer.Attainment;
import io.fpmplanner.models.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A fleet played forward with learned step times: what latency would be with other traffic, other replicas or other
 * limits.
 *
 * <p>One pool, or a prefill and a decode pool together. The same pools and question give the same answer. Stateless
 * between questions and threadsafe; an answer takes milliseconds, so keep it off event loops.
 */
public final class FleetTwin {
    /*
     * A queue near saturation remembers about 1 / (1 - utilisation)^2 arrivals; from two thirds on the p90 of the fewest requests
     * is left to chance.
     */
    private static final double PER_MEMORY = 400;
    /** Played for a range, from which only ratios are taken. */
    private static final int REQUESTS_OF_RANGE = 1_600;

    /*
     * Ranges: learned steps are off by about STEP_ERROR where they were seen, more beyond; a few percent more load or slower steps
     * are played again, and percentiles are read MOVED aside, by which a distribution with two peaks (steps with and without
     * prompts) may jump from one to the other.
     */
    private static final double STEP_ERROR = 0.03;
    private static final double NINE_IN_TEN = 1.645;
    private static final double MOVED = 0.03;

    private final TwinPool first;
    private final @Nullable TwinPool second;
    private final SloTarget slo;

    private FleetTwin(TwinPool first, @Nullable TwinPool second, SloTarget slo) {
        this.first = first;
        this.second = second;
        this.slo = slo;
    }

    /** The twin of one pool. */
    public static FleetTwin of(TwinPool pool, SloTarget slo) {
        return new FleetTwin(pool, null, slo);
    }

    /**
     * The twin of a disaggregated pair.
     *
     * @throws IllegalArgumentException unless the roles are PREFILL and DECODE
     */
    public static FleetTwin of(TwinPool prefill, TwinPool decode, SloTarget slo) {
        if (prefill.role() != Role.PREFILL || decode.role() != Role.DECODE) {
            throw new IllegalArgumentException(
                    "a pair is a PREFILL and a DECODE pool, was " + prefill.role() + " and " + decode.role());
        }
        return new FleetTwin(prefill, decode, slo);
    }

    /** Whether this is a disaggregated pair. */
    public boolean isPair() {
        return second != null;
    }

    /**
     * Latencies, attainment and utilisation of that traffic on those replicas.
     *
     * @throws IllegalArgumentException if decode replicas are given for a single pool or missing for a pair
     */
    public WhatIfAnswer ask(WhatIf question) {
        return ask(question, Samples.typical(requests(question)));
    }

    /**
     * Answers to questions that differ in rate and replicas only, all from the same requests, so that they differ by the question
     * alone; costs less than asking one by one.
     *
     * @throws IllegalArgumentException as {@link #ask(WhatIf)}
     */
    public List<WhatIfAnswer> askAll(List<WhatIf> questions) {
        Samples few = Samples.typical(Samples.FEWEST);
        Samples many = few.sized(Samples.MOST);
        return questions.stream()
                .map(question -> ask(question, requests(question) > Samples.FEWEST ? many : few))
                .toList();
    }

    /** The same from other requests of the same kind: how much answers differ by seed is how sure they are. */
    public WhatIfAnswer ask(WhatIf question, long seed) {
        return ask(question, new Samples(requests(question), seed));
    }

    /** As many as it takes for the queues to forget how they began often enough. */
    private int requests(WhatIf question) {
        double utilisation = utilisation(first, question, question.replicas());
        TwinPool decode = second;
        if (decode != null) {
            utilisation = Math.max(utilisation, utilisation(decode, question, question.decodeReplicas()));
        }
        double memory = 1 / Math.pow(Math.max(0.05, 1 - utilisation), 2);
        return utilisation < 1 && PER_MEMORY * memory > Samples.FEWEST ? Samples.MOST : Samples.FEWEST;
    }

    private static double utilisation(TwinPool pool, WhatIf question, int replicas) {
        StepSampler steps = new StepSampler(pool.model(), pool.gapSeconds(), Samples.SEED);
        double saturated = new SaturatedCapacity(pool, steps, question.workload()).requestsPerSecond();
        return question.workload().requestsPerSecond() / (saturated * replicas * pool.ranksPerReplica());
    }

    WhatIfAnswer ask(WhatIf question, Samples samples) {
        return answer(play(question, samples));
    }

    private PlayedFleet play(WhatIf question, Samples samples) {
        requireFit(question);
        PoolTwin one = run(first, question, question.replicas(), samples);
        TwinPool decode = second;
        return new PlayedFleet(one, decode == null ? null : run(decode, question, question.decodeReplicas(), samples));
    }

    /**
     * As {@link #ask(WhatIf)}, and how far each percentile may be off: by step times, which are learned, by the load as far as it is
     * inferred, and by the few requests played. Takes three times as long.
     *
     * @param loadError relative standard error of the load, that is of rate and lengths together; 0 if all is told
     * @throws IllegalArgumentException as {@link #ask(WhatIf)}
     */
    public WhatIfRange askWithRange(WhatIf question, double loadError) {
        Samples all = Samples.typical(requests(question));
        WhatIfAnswer answer = ask(question, all);
        if (!answer.stable()) {
            return new WhatIfRange(answer, Optional.empty(), Optional.empty());
        }
        double steps = STEP_ERROR * (1 + Math.log(answer.extrapolation()));
        double off = NINE_IN_TEN * Math.hypot(steps, loadError);
        Samples samples = all.sized(REQUESTS_OF_RANGE);
        PlayedFleet base = play(question, samples);
        PlayedFleet less = play(question.with(times(question.workload(), 1 / (1 + off))), samples);
        PlayedFleet more = play(question.with(times(question.workload(), 1 + off)), samples);
        double slower = 1 + NINE_IN_TEN * steps;
        Moved moved = new Moved(base, less, more, slower);
        return new WhatIfRange(
                answer,
                answer.ttft()
                        .flatMap(expected -> moved.around(
                                expected, (played, by) -> played.latencies().ttft(by))),
                answer.itl().flatMap(expected -> moved.around(expected, PlayedFleet::itl)));
    }

    /** A percentile of what was played, at a probability moved by so much. */
    private interface Figure {
        Optional<LatencySpread> of(PlayedFleet played, double moved);
    }

    /** The same fleet under the load asked about, under less and under more; steps may be so much slower or faster. */
    private record Moved(PlayedFleet base, PlayedFleet less, PlayedFleet more, double slower) {
        Optional<WhatIfRange.Bounds> around(LatencySpread expected, Figure figure) {
            Optional<LatencySpread> high = more.isStable() ? figure.of(more, MOVED) : Optional.empty();
            return figure.of(base, 0)
                    .flatMap(usual -> figure.of(less, -MOVED)
                            .map(low -> WhatIfRange.Bounds.around(
                                    expected,
                                    expected.times(low, usual).times(1 / slower),
                                    high.map(spread ->
                                            expected.times(spread, usual).times(slower)))));
        }
    }

    private static Workload times(Workload workload, double factor) {
        return workload.at(Math.min(Workload.MAX_REQUESTS_PER_SECOND, factor * workload.requestsPerSecond()));
    }

    private void requireFit(WhatIf question) {
        if (isPair() != question.decodeReplicas() > 0) {
            throw new IllegalArgumentException(
                    isPair()
                            ? "decodeReplicas must be at least 1 for a pair of pools"
                            : "decodeReplicas must be absent for a single pool");
        }
    }

    private static PoolTwin run(TwinPool pool, WhatIf question, int replicas, Samples samples) {
        PoolTwin twin = new PoolTwin(pool, question, replicas, samples);
        twin.run();
        return twin;
    }

    private WhatIfAnswer answer(PlayedFleet played) {
        PoolTwin one = played.one();
        PoolTwin two = played.two();
        List<WhatIfAnswer.PoolAnswer> pools = new ArrayList<>();
        pools.add(one.answer());
        if (two != null) {
            pools.add(two.answer());
        }
        boolean stable = played.isStable();
        double extrapolation = Math.max(one.extrapolation(), two == null ? 1 : two.extrapolation());
        PoolTwin decoder = played.decoder();
        RequestLatencies latencies = stable ? played.latencies() : null;
        return new WhatIfAnswer(
                stable,
                latencies == null ? Optional.empty() : latencies.ttft(0),
                stable ? played.itl(0) : Optional.empty(),
                latencies == null || decoder == null ? Optional.empty() : latencies.requestItl(),
                latencies == null ? unstable(decoder != null) : latencies.attainment(slo),
                pools,
                evidence(one, two),
                extrapolation);
    }

    private static Attainment unstable(boolean decodes) {
        return new Attainment(0, decodes ? OptionalDouble.of(0) : OptionalDouble.empty(), 0);
    }

    private static Evidence evidence(PoolTwin one, @Nullable PoolTwin two) {
        boolean beyond = one.isBeyondSeen() || (two != null && two.isBeyondSeen());
        boolean ready = one.steps().evidence() == Evidence.READY
                && (two == null || two.steps().evidence() == Evidence.READY);
        return !ready ? Evidence.WARMING : beyond ? Evidence.EXTRAPOLATING : Evidence.READY;
    }

    /**
     * The highest arrival rate of such requests at which the fleet still meets the objectives for the wanted share of
     * requests; empty if it does not even for a trickle of them.
     */
    public OptionalDouble highestSustainableRate(WhatIf question) {
        requireFit(question);
        return new FleetSearch(first, second, slo, question).highestRate();
    }

    /**
     * The fewest replicas of each pool with which that traffic meets the objectives for the wanted share of requests.
     *
     * @param question its replicas do not matter
     * @param mostReplicas of each pool
     * @return replicas by pool, prefill before decode; empty if even the largest fleet does not meet them
     */
    public List<Integer> smallestFleet(WhatIf question, int mostReplicas) {
        return new FleetSearch(first, second, slo, question).smallestFleet(mostReplicas, 1);
    }

    /**
     * Both searches at once, which costs less than one after the other.
     *
     * @param mostReplicas of each pool of the smallest fleet
     * @throws IllegalArgumentException as {@link #ask}
     */
    public Bounds search(WhatIf question, int mostReplicas) {
        requireFit(question);
        FleetSearch search = new FleetSearch(first, second, slo, question);
        OptionalDouble rate = search.highestRate();
        double perReplica = rate.orElse(0) / question.replicas();
        int likely = perReplica > 0
                ? (int) Math.min(mostReplicas, Math.ceil(question.workload().requestsPerSecond() / perReplica))
                : 1;
        return new Bounds(rate, search.smallestFleet(mostReplicas, likely));
    }

    /**
     * What a fleet bears and what a rate needs.
     *
     * @param highestRate as {@link #highestSustainableRate}
     * @param smallestFleet as {@link #smallestFleet}
     */
    public record Bounds(OptionalDouble highestRate, List<Integer> smallestFleet) {
        public Bounds {
            smallestFleet = List.copyOf(smallestFleet);
        }
    }
}
