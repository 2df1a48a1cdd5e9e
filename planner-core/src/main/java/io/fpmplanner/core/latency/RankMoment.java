/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.RankLoad;
import io.fpmplanner.core.pool.Role;

/**
 * One rank as the replay starts from it: its load with cache hits discounted, and what requests are like.
 *
 * @param limits engine limits
 * @param role what the rank computes
 * @param load what it has to do
 * @param pendingPrefillTokens tokens still to be prefilled: the cut prompt and the queue
 * @param pendingPrefills prompts they belong to
 * @param promptTokens mean tokens computed per prompt
 * @param contextTokens mean context of a decoding request
 * @param outputTokens mean tokens generated per request
 * @param arrivingTokensPerSecond prompt tokens that arrive at this rank
 */
record RankMoment(
        EngineLimits limits,
        Role role,
        RankLoad load,
        double pendingPrefillTokens,
        double pendingPrefills,
        double promptTokens,
        double contextTokens,
        double outputTokens,
        double arrivingTokensPerSecond) {

    /* Where flow balance could not tell yet: a chat answer and prompt of middling length. */
    private static final double ASSUMED_OUTPUT_TOKENS = 256;
    private static final double ASSUMED_PROMPT_TOKENS = 512;

    static RankMoment of(PoolView pool, RankLoad load, double liveRanks) {
        PoolLoad.Traffic traffic = pool.load().traffic();
        double uncached = 1 - traffic.cachedShare().orElse(0);
        double queued = load.queuedPrefillTokens() * uncached;
        double pending = load.unfinishedChunkTokens() + queued;
        double prompts = load.queuedPrefillRequests() + (load.unfinishedChunkTokens() > 0 ? 1 : 0);
        double prompt = traffic.inputTokens().orElse(prompts > 0 ? pending / prompts : ASSUMED_PROMPT_TOKENS);
        double output = traffic.outputTokens().orElse(ASSUMED_OUTPUT_TOKENS);
        double context = load.decodeRequests() > 0
                ? load.decodeKvTokens() / load.decodeRequests()
                : traffic.contextTokens().orElse(prompt / uncached + output / 2);
        return new RankMoment(
                pool.settings().limits(),
                pool.settings().role(),
                load,
                pending,
                prompts,
                Math.max(1, prompt),
                Math.max(1, context),
                Math.max(1, output),
                liveRanks > 0 ? traffic.prefillTokensPerSecond() / liveRanks : 0);
    }

    /** Most requests that can run at once: the sequence limit, or what fits in the KV cache if that is known. */
    double maxRunning() {
        double bySequences = limits.maxSequences();
        if (limits.kvCapacityTokens().isEmpty()) {
            return bySequences;
        }
        return Math.max(1, Math.min(bySequences, limits.kvCapacityTokens().getAsLong() / contextTokens));
    }

    /**
     * Chance that a rank which looks idle is in the step of a request that came since its newest frame: such a rank
     * is empty for 1 / arrivals on average and then in that step, of which no frame tells until it ends.
     */
    double hiddenStepChance(double stepSeconds) {
        double arrivals = arrivingTokensPerSecond / promptTokens * stepSeconds;
        return arrivals / (1 + arrivals);
    }

    boolean isBusy() {
        return load.decodeRequests() > 0 || pendingPrefillTokens > 0;
    }
}
