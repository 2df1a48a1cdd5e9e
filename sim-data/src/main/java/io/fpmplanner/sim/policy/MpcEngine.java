/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;

/**
 * One engine by its offline tables: how many requests it serves when saturated, and how it slows down before that. Immutable.
 *
 * @param kind phases it computes
 * @param prefillSeconds time of a prompt alone
 * @param requestsPerSecond when saturated
 * @param outputTokens of a request
 * @param profile its tables
 * @param context tokens of a running request, on average
 * @param saturatedBatch requests that run when saturated
 */
record MpcEngine(
        EngineKind kind,
        double prefillSeconds,
        double requestsPerSecond,
        double outputTokens,
        EngineProfile profile,
        int context,
        int saturatedBatch) {
    /* Rate: 1 / (T_p + osl T_d(c) / c) at c = min(0.9 KV / (isl + osl), sequences); the terms of the engine's phases only. */
    private static final double USABLE_KV = 0.9;
    /** Lengths are rounded so that the tables are measured at a few points only. */
    private static final int LENGTH_GRAIN = 128;

    static MpcEngine of(ScalingTask task, int index, double inputTokens, double outputTokens, double bias) {
        PoolTask pool = task.pools().get(index);
        EngineKind kind = pool.engine().kind();
        double longest = Math.max(1, inputTokens + outputTokens);
        int batch = (int) Math.max(
                1,
                Math.min(pool.engine().maxSequences(), USABLE_KV * pool.engine().kvCapacityTokens() / longest));
        int context = grain(inputTokens + outputTokens / 2);
        double prefill = kind == EngineKind.DECODE_ONLY ? 0 : task.profile().prefillSeconds(grain(inputTokens));
        double decode = kind == EngineKind.PREFILL_ONLY
                ? 0
                : outputTokens * task.profile().decodeStepSeconds(batch, context) / batch;
        double rate = bias / Math.max(1e-9, prefill + decode);
        return new MpcEngine(kind, prefill, rate, outputTokens, task.profile(), context, batch);
    }

    private static int grain(double tokens) {
        return (int) Math.max(1, Math.round(tokens / LENGTH_GRAIN) * LENGTH_GRAIN);
    }

    /** Mean time between tokens when each engine serves so many requests a second; 0 for a prefill engine. */
    double itlSeconds(double requestsPerSecondEach) {
        if (kind == EngineKind.PREFILL_ONLY) {
            return 0;
        }
        // Little's law: the batch is what arrives in the time a request runs, and that time depends on the batch.
        double prefilling = Math.min(0.95, requestsPerSecondEach * prefillSeconds);
        double batch = 1;
        double itl = profile.decodeStepSeconds(1, context) / (1 - prefilling);
        for (int i = 0; i < 8; i++) {
            batch = Math.max(1, Math.min(saturatedBatch, requestsPerSecondEach * outputTokens * itl));
            itl = profile.decodeStepSeconds((int) Math.ceil(batch), context) / (1 - prefilling);
        }
        return itl;
    }
}
