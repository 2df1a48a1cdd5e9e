/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.twin.WhatIfAnswer.Attainment;
import io.fpmplanner.models.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
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
     * 4,000 requests settle a p90 to a few percent. Searches use fewer and the same ones at every point, so that the
     * noise is the same everywhere and bisection sees one smooth curve.
     */
    private static final int REQUESTS = 4_000;
    private static final int SEARCH_REQUESTS = 1_200;
    private static final int BISECTIONS = 9;
    private static final long SEED = 20_26;

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
        return ask(question, REQUESTS);
    }

    private WhatIfAnswer ask(WhatIf question, int requests) {
        if (isPair() != question.decodeReplicas() > 0) {
            throw new IllegalArgumentException(
                    isPair()
                            ? "decodeReplicas must be at least 1 for a pair of pools"
                            : "decodeReplicas must be absent for a single pool");
        }
        PoolTwin one = run(first, question, question.replicas(), requests);
        TwinPool decode = second;
        PoolTwin two = decode == null ? null : run(decode, question, question.decodeReplicas(), requests);
        return answer(one, two);
    }

    private static PoolTwin run(TwinPool pool, WhatIf question, int replicas, int requests) {
        double variation = PoolTwin.arrivalVariation(question, replicas, pool.ranksPerReplica());
        long seed = pool.role() == Role.DECODE ? SEED + 1 : SEED;
        RequestSample sample = new RequestSample(question.workload(), variation, requests, seed);
        PoolTwin twin = new PoolTwin(pool, question, replicas, sample, seed);
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
        PoolTwin decoder = two != null ? two : first.role() == Role.PREFILL ? null : one;
        Latencies latencies = stable ? new Latencies(one, two, decoder) : null;
        return new WhatIfAnswer(
                stable,
                Optional.ofNullable(latencies).map(Latencies::ttft),
                latencies == null || decoder == null
                        ? Optional.empty()
                        : Optional.of(decoder.gaps().spread()),
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
        double most = Double.MAX_VALUE;
        for (WhatIfAnswer.PoolAnswer pool : ask(question, SEARCH_REQUESTS / 4).pools()) {
            most = Math.min(most, 1.1 * pool.saturatedRequestsPerSecond());
        }
        double low = most / 200;
        if (!meets(question.with(question.workload().at(low)))) {
            return OptionalDouble.empty();
        }
        double high = most;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = i < 2 ? 0.3 * low + 0.7 * high : (low + high) / 2;
            if (meets(question.with(question.workload().at(middle)))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return OptionalDouble.of(low);
    }

    private boolean meets(WhatIf question) {
        WhatIfAnswer answer = ask(question, SEARCH_REQUESTS);
        return answer.stable() && answer.attainment().both() >= slo.attainment();
    }

    /**
     * The fewest replicas of each pool with which that traffic meets the objectives for the wanted share of requests.
     *
     * @param question its replicas do not matter
     * @param mostReplicas of each pool
     * @return replicas by pool, prefill before decode; empty if even the largest fleet does not meet them
     */
    public List<Integer> smallestFleet(WhatIf question, int mostReplicas) {
        TwinPool decode = second;
        if (decode == null) {
            int size = smallest(this, question, 1, mostReplicas);
            return size > mostReplicas ? List.of() : List.of(size);
        }
        /* Each pool alone first, which bounds the pair from below; then whoever helps less is enlarged last. */
        int prefills = smallest(of(first, slo), question.with(1, 0), 1, mostReplicas);
        int decodes = smallest(of(decode, slo), question.with(1, 0), 1, mostReplicas);
        while (prefills <= mostReplicas && decodes <= mostReplicas) {
            WhatIfAnswer answer = ask(question.with(prefills, decodes), SEARCH_REQUESTS);
            if (answer.stable() && answer.attainment().both() >= slo.attainment()) {
                return List.of(prefills, decodes);
            }
            boolean byItl =
                    answer.attainment().itl().orElse(1) < answer.attainment().ttft();
            decodes += byItl ? 1 : 0;
            prefills += byItl ? 0 : 1;
        }
        return List.of();
    }

    private static int smallest(FleetTwin twin, WhatIf question, int least, int most) {
        int low = least - 1;
        int high = least;
        while (high <= most && !twin.meets(question.with(high, 0))) {
            low = high;
            high = Math.max(high + 1, Math.min(most, 2 * high));
        }
        if (high > most) {
            return most + 1;
        }
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (twin.meets(question.with(middle, 0))) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** Latencies of the counted requests; in a pair each prefill is followed by any decode, for they are independent. */
    private static final class Latencies {
        private final double[] ttft;
        private final double[] itl;
        private final boolean decodes;

        Latencies(PoolTwin one, @Nullable PoolTwin two, @Nullable PoolTwin decoder) {
            int from = one.firstCounted();
            int count = one.arrival.length - from;
            this.decodes = decoder != null;
            this.ttft = new double[count];
            this.itl = new double[count];
            for (int i = 0; i < count; i++) {
                double second = two == null ? 0 : two.ttftSeconds(from + i);
                ttft[i] = one.ttftSeconds(from + i) + (Double.isNaN(second) ? 0 : second);
                itl[i] = decoder == null ? Double.NaN : decoder.itlSeconds(from + i);
            }
        }

        LatencySpread ttft() {
            return Percentiles.of(ttft.clone(), ttft.length);
        }

        Optional<LatencySpread> requestItl() {
            return Arrays.stream(itl).allMatch(Double::isNaN)
                    ? Optional.empty()
                    : Optional.of(Percentiles.of(itl.clone(), itl.length));
        }

        /** Requests that had not finished when counting ended are judged by their TTFT and the ITL of the others. */
        Attainment attainment(SloTarget slo) {
            double met = 0;
            double itlKnown = 0;
            double itlMet = 0;
            double both = 0;
            for (int i = 0; i < ttft.length; i++) {
                boolean inTime = ttft[i] <= slo.ttftSeconds();
                met += inTime ? 1 : 0;
                if (!Double.isNaN(itl[i])) {
                    itlKnown++;
                    itlMet += itl[i] <= slo.itlSeconds() ? 1 : 0;
                    both += inTime && itl[i] <= slo.itlSeconds() ? 1 : 0;
                }
            }
            double ttftShare = met / ttft.length;
            if (!decodes) {
                return new Attainment(ttftShare, OptionalDouble.empty(), ttftShare);
            }
            double itlShare = itlKnown > 0 ? itlMet / itlKnown : 1;
            return new Attainment(ttftShare, OptionalDouble.of(itlShare), itlKnown > 0 ? both / itlKnown : ttftShare);
        }
    }
}
