/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.SloTarget;
import io.fpmplanner.core.twin.WhatIfAnswer.Attainment;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Looks for the highest rate that a fleet bears and for the smallest fleet that bears a rate. One question, one thread. */
final class FleetSearch {
    /*
     * All points are played with the same requests (common random numbers: Glasserman and Yao 1992), so that whether they meet
     * the objectives hardly jumps from one to the next, and a point is given up as soon as more requests have missed than may.
     */
    private static final int REQUESTS = 1_200;
    private static final double PRECISION = 0.02;
    private static final int MOST_BISECTIONS = 9;
    private static final double TRICKLE = 1 / 200.0;

    private final TwinPool first;
    private final @Nullable TwinPool second;
    private final SloTarget slo;
    private final WhatIf question;
    private final Samples samples = new Samples(REQUESTS, Samples.SEED);

    FleetSearch(TwinPool first, @Nullable TwinPool second, SloTarget slo, WhatIf question) {
        this.first = first;
        this.second = second;
        this.slo = slo;
        this.question = question;
    }

    /** The highest rate at which the objectives are met for the wanted share; empty if not even for a trickle. */
    OptionalDouble highestRate() {
        double high = Math.min(Workload.MAX_REQUESTS_PER_SECOND, saturatedRate());
        if (!(high > 0)) {
            return OptionalDouble.empty();
        }
        double low = high * TRICKLE;
        if (!meets(at(low))) {
            return OptionalDouble.empty();
        }
        for (int i = 0; i < MOST_BISECTIONS && high > (1 + PRECISION) * low; i++) {
            double middle = i < 2 ? 0.2 * low + 0.8 * high : (low + high) / 2;
            boolean met = meets(at(middle));
            low = met ? middle : low;
            high = met ? high : middle;
        }
        return OptionalDouble.of(low);
    }

    private WhatIf at(double rate) {
        return question.with(question.workload().at(rate));
    }

    private double saturatedRate() {
        double rate = saturatedRate(first, question.replicas());
        TwinPool decode = second;
        return decode == null ? rate : Math.min(rate, saturatedRate(decode, question.decodeReplicas()));
    }

    private double saturatedRate(TwinPool pool, int replicas) {
        return samples.saturated(pool, question) * replicas * pool.ranksPerReplica();
    }

    /**
     * The fewest replicas of each pool that bear the question's rate; empty if so many do not.
     *
     * @param likely replicas of the first pool to begin with
     */
    List<Integer> smallestFleet(int mostReplicas, int likely) {
        TwinPool decode = second;
        if (decode == null) {
            int size = smallest(mostReplicas, likely);
            return size > mostReplicas ? List.of() : List.of(size);
        }
        /* Each pool alone first, which bounds the pair from below; then whoever helps less is enlarged last. */
        int prefills = alone(first).smallest(mostReplicas, likely);
        int decodes = alone(decode).smallest(mostReplicas, likely(decode));
        while (prefills <= mostReplicas && decodes <= mostReplicas) {
            WhatIf pair = question.with(prefills, decodes);
            PoolTwin one = run(first, pair, prefills);
            PoolTwin two = run(decode, pair, decodes);
            boolean stable = one.isStable() && two.isStable();
            Attainment attainment = stable
                    ? new RequestLatencies(one, two, two).attainment(slo)
                    : new Attainment(one.isStable() ? 1 : 0, OptionalDouble.of(two.isStable() ? 1 : 0), 0);
            if (attainment.both() >= slo.attainment()) {
                return List.of(prefills, decodes);
            }
            boolean byItl = attainment.itl().orElse(1) < attainment.ttft();
            decodes += byItl ? 1 : 0;
            prefills += byItl ? 0 : 1;
        }
        return List.of();
    }

    private FleetSearch alone(TwinPool pool) {
        return new FleetSearch(pool, null, slo, question.with(1, 0));
    }

    private int likely(TwinPool pool) {
        return (int) Math.ceil(question.workload().requestsPerSecond() / Math.max(1e-9, saturatedRate(pool, 1)));
    }

    /** Of a pool alone, in steps that double from what is likely; more than the most if those do not bear it either. */
    private int smallest(int most, int likely) {
        int fewest = Math.max(1, likely(first));
        if (fewest > most) {
            return most + 1;
        }
        int size = Math.max(fewest, Math.min(most, likely));
        boolean met = meets(question.with(size, 0));
        for (int step = 1; ; step *= 2) {
            int next = Math.max(fewest - 1, Math.min(most + 1, met ? size - step : size + step));
            boolean nextMet = next > most || (next >= fewest && meets(question.with(next, 0)));
            if (nextMet != met) {
                return met ? between(next, size) : between(size, next);
            }
            size = next;
        }
    }

    /** One fails and the other does not. */
    private int between(int fails, int meets) {
        int low = fails;
        int high = meets;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            boolean met = meets(question.with(middle, 0));
            high = met ? middle : high;
            low = met ? low : middle;
        }
        return high;
    }

    private boolean meets(WhatIf point) {
        PoolTwin one = run(first, point, point.replicas());
        if (!one.isStable()) {
            return false;
        }
        TwinPool decode = second;
        PoolTwin two = decode == null ? null : run(decode, point, point.decodeReplicas());
        if (two != null && !two.isStable()) {
            return false;
        }
        PoolTwin decoder = two != null ? two : one;
        return new RequestLatencies(one, two, decoder.decodes() ? decoder : null)
                        .attainment(slo)
                        .both()
                >= slo.attainment();
    }

    private PoolTwin run(TwinPool pool, WhatIf point, int replicas) {
        PoolTwin twin = new PoolTwin(pool, point, replicas, samples);
        twin.giveUpAfter(slo, 1 - slo.attainment());
        twin.run();
        return twin;
    }
}
