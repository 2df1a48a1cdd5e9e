/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.twin;

import io.fpmplanner.core.latency.EngineTwin;
import io.fpmplanner.core.latency.StepSampler;
import io.fpmplanner.core.pool.Role;

/** How the requests of a sample enter the ranks of a pool. */
final class PoolRequests {
    private static final int NO_REQUEST = -1;

    private final Role role;
    private final RequestSample sample;
    private final double cachedShare;

    PoolRequests(TwinPool pool, RequestSample sample, Workload workload) {
        this.role = pool.role();
        this.sample = sample;
        this.cachedShare = workload.cachedShare();
    }

    /** Sends a request to a rank; false if it has nothing to do there: the first token comes from the prefill pool. */
    boolean submit(EngineTwin rank, int i) {
        double input = sample.input[i];
        if (role == Role.DECODE) {
            if (sample.output[i] < 2) {
                return false;
            }
            rank.submit(i, input, 0, sample.output[i] - 1);
            return true;
        }
        double cached = Math.min(input - 1, Math.rint(input * cachedShare));
        rank.submit(i, cached, Math.max(1, input - cached), sample.output[i]);
        return true;
    }

    /** Starts each rank anew with so many requests at a random point of their answers, on average. */
    void fill(EngineTwin[] ranks, double batch, StepSampler random) {
        double cumulative = 0;
        int request = 0;
        double total = 0;
        for (int i = 0; i < sample.count; i++) {
            total += sample.output[i];
        }
        for (int r = 0; r < ranks.length; r++) {
            ranks[r].reset(0);
            int wanted = role == Role.PREFILL ? 0 : (int) Math.floor(batch + (r + 0.5) / ranks.length);
            for (int k = 0; k < wanted; k++) {
                /* The longer a request, the likelier it is met at a random moment. */
                double target = total * ((k * ranks.length + r) * 0.6180339887498949 % 1);
                if (target < cumulative) {
                    cumulative = 0;
                    request = 0;
                }
                while (request < sample.count - 1 && cumulative + sample.output[request] < target) {
                    cumulative += sample.output[request++];
                }
                double left = Math.ceil(sample.output[request] * (1 - random.uniform()));
                ranks[r].run(NO_REQUEST, sample.input[request] + sample.output[request] - left, left);
            }
            ranks[r].wake();
        }
    }
}
