/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * The workload of a pool or rank as its frames tell, each number with its error; what was supplied wins.
 *
 * <p>Lengths are over about five minutes, rates over about half a minute. An answer's first token counts as part of the
 * answer in the AGGREGATED role; in the DECODE role it came from elsewhere.
 *
 * @param requestsPerSecond arrivals
 * @param inputTokens mean full prompt, cache hits included; in the DECODE role the context with which requests come
 * @param inputDeviation standard deviation of that over requests
 * @param outputTokens mean tokens generated per request
 * @param outputDeviation standard deviation of that over requests
 * @param cachedShare share of prompt tokens found in the prefix cache, 0 to 1
 * @param decodeConcurrency requests that decode, by Little's law: tokens per second times time between tokens
 * @param prefillTokensPerSecond prompt tokens computed
 * @param decodeTokensPerSecond tokens generated
 * @param queueGrowthPerSecond change of the waiting requests per second
 * @param kvTokens context of the running requests, tokens
 * @param kvCapacityTokens tokens that fit in the KV caches: as configured, else the level at which requests were seen to
 *     wait for nothing else
 * @param gapSeconds time between back-to-back steps that wall times do not hold
 */
public record WorkloadView(
        Quantity requestsPerSecond,
        Quantity inputTokens,
        Quantity inputDeviation,
        Quantity outputTokens,
        Quantity outputDeviation,
        Quantity cachedShare,
        Quantity decodeConcurrency,
        Quantity prefillTokensPerSecond,
        Quantity decodeTokensPerSecond,
        Quantity queueGrowthPerSecond,
        Quantity kvTokens,
        Quantity kvCapacityTokens,
        Quantity gapSeconds) {}
