/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

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
    /* So many settle a p90 to a few percent. */
    private static final int REQUESTS = 4_000;

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
        requireFit(question);
        Samples samples = new Samples(REQUESTS);
        PoolTwin one = run(first, question, question.replicas(), samples);
        TwinPool decode = second;
        PoolTwin two = decode == null ? null : run(decode, question, question.decodeReplicas(), samples);
        return answer(one, two);
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
        PoolTwin twin = new PoolTwin(pool, question, replicas, samples.of(pool, question, replicas));
        twin.run();
        return twin;
    }

    private WhatIfAnswer answer(PoolTwin one, @Nullable PoolTwin two) {
        List<WhatIfAnswer.PoolAnswer> pools = new ArrayList<>();
        pools.add(one.answer());
        if (two != null) {
            pools.add(two.answer());
        }
        boolean stable = one.isStable() && (two == null || two.isStable());
        double extrapolation = Math.max(one.extrapolation(), two == null ? 1 : two.extrapolation());
        PoolTwin decoder = two != null ? two : one.decodes() ? one : null;
        RequestLatencies latencies = stable ? new RequestLatencies(one, two, decoder) : null;
        return new WhatIfAnswer(
                stable,
                Optional.ofNullable(latencies).map(RequestLatencies::ttft),
                latencies == null || decoder == null
                        ? Optional.empty()
                        : decoder.gaps().spread(),
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
