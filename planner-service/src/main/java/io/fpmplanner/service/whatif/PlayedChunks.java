/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.service.http.JsonBody;
import io.fpmplanner.service.http.Problem;

/**
 * The steps that prompts may take in what is played. Each is played for thousands of requests, and questions are answered one
 * at a time: one with many would hold all others for many seconds.
 */
final class PlayedChunks {
    private static final double MOST = 1_000;
    /** Of a prompt, summed over the points of a curve. */
    private static final double MOST_OF_ALL = 16_000;
    /** Shares of tokens are not exact to the last bit. */
    private static final double EXACT = 1 + 1e-9;

    private PlayedChunks() {}

    /** Refuses a question of so many points whose prompts take too many steps each. */
    static void requireFew(JsonBody body, PoolView pool, Workload workload, int points) {
        EngineLimits limits = WhatIfRequest.limits(body, pool.settings().limits());
        double most = Math.floor(Math.min(MOST, MOST_OF_ALL / points));
        double computedShare = 1 - workload.cachedShare();
        double computed = workload.inputTokens().mean() * computedShare;
        if (pool.settings().role() == Role.DECODE || computed <= most * limits.maxBatchedTokens() * EXACT) {
            return;
        }
        String rule = " so that a prompt takes " + (long) most + " steps at most, was ";
        if (body.has("limits") && body.child("limits", WhatIfRequest.LIMITS).has("maxBatchedTokens")) {
            String least = Long.toString((long) Math.ceil(computed / most));
            String greatest = Integer.toString(WhatIfRequest.MOST_LIMIT);
            throw Problem.outside(
                    "limits.maxBatchedTokens",
                    "limits.maxBatchedTokens must be between " + least + " and " + greatest + rule
                            + limits.maxBatchedTokens(),
                    least,
                    greatest);
        }
        String greatest = Long.toString((long) (most * limits.maxBatchedTokens() / computedShare));
        throw Problem.outside(
                "inputTokens",
                "inputTokens must be between 1 and " + greatest + " on average" + rule
                        + (long) workload.inputTokens().mean(),
                "1",
                greatest);
    }
}
