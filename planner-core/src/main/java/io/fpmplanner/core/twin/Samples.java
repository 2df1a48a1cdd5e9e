/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.pool.Role;
import java.util.ArrayList;
import java.util.List;

/** Requests drawn for one question and used at all its points. One thread. */
final class Samples {
    private static final long SEED = 20_26;

    private record Drawn(boolean decode, double variation, RequestSample sample) {}

    private final int count;
    private final List<Drawn> drawn = new ArrayList<>();

    Samples(int count) {
        this.count = count;
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
        long seed = decode ? SEED + 1 : SEED;
        RequestSample sample = new RequestSample(question.workload(), variation, count, seed);
        drawn.add(new Drawn(decode, variation, sample));
        return sample;
    }
}
