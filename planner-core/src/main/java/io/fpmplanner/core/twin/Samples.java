/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.Role;
import java.util.ArrayList;
import java.util.List;

/** Requests drawn for one question and used at all its points, and what the pools bear of them. One thread. */
final class Samples {
    /** Of what is drawn beside requests; answers are the same for the same question. */
    static final long SEED = 20_26;

    /* Settle a p90 to a few percent where queues are short. */
    static final int FEWEST = 4_000;
    /* Where queues are long. */
    static final int MOST = 12_000;

    /*
     * Requests in an order that is like most: percentiles of long queues differ by 10 to 20 % from order to order of 12,000 requests.
     * Of some thousand orders these come nearest to what very many requests give, on plain queues and on step times, lengths and
     * loads that SampleOrders (in the tests) makes up.
     */
    private static final long ORDER_OF_FEWEST = 2868;
    private static final long ORDER_OF_MOST = 1648;

    /* So many tell what a rank completes to a percent. */
    private static final int SATURATING = 2_000;

    private record Drawn(boolean decode, double variation, RequestSample sample) {}

    private final int count;
    private final long seed;
    private final List<Drawn> drawn = new ArrayList<>();
    /** Of the first pool and of the decode pool of a pair, once played; shared by samples of other sizes. */
    private final double[] saturated;

    Samples(int count, long seed) {
        this(count, seed, new double[] {Double.NaN, Double.NaN});
    }

    private Samples(int count, long seed, double[] saturated) {
        this.count = count;
        this.seed = seed;
        this.saturated = saturated;
    }

    /** So many requests in the order that is like most. */
    static Samples typical(int requests) {
        return new Samples(requests, order(requests));
    }

    private static long order(int requests) {
        return requests > FEWEST ? ORDER_OF_MOST : ORDER_OF_FEWEST;
    }

    /** So many requests for the same pools, of which is known already what they bear. */
    Samples sized(int requests) {
        return new Samples(requests, order(requests), saturated);
    }

    /** For that pool; the workloads of all questions asked of one object differ in their rate only. */
    RequestSample of(TwinPool pool, WhatIf question, int replicas) {
        double variation = PoolTwin.arrivalVariation(question, replicas, pool.ranksPerReplica());
        boolean decode = pool.role() == Role.DECODE;
        for (Drawn known : drawn) {
            if (known.decode == decode && known.variation == variation) {
                return known.sample;
            }
        }
        RequestSample sample = draw(question, variation, decode, count);
        drawn.add(new Drawn(decode, variation, sample));
        return sample;
    }

    private RequestSample draw(WhatIf question, double variation, boolean decode, int requests) {
        return new RequestSample(question.workload(), variation, requests, decode ? seed + 1 : seed);
    }

    /** What one rank of the pool completes when such requests never run out, per second; played once. */
    double saturated(TwinPool pool, WhatIf question) {
        boolean decode = pool.role() == Role.DECODE;
        int place = decode ? 1 : 0;
        if (Double.isNaN(saturated[place])) {
            saturated[place] =
                    new SaturatedRun(pool, question, draw(question, 1, decode, SATURATING)).requestsPerSecond();
        }
        return saturated[place];
    }
}
