/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/**
 * The composition of one step. Immutable.
 *
 * @param numPrefillRequests requests with a prompt chunk in this step
 * @param sumPrefillTokens prompt tokens computed in this step
 * @param varPrefillLength population variance of the full prompt lengths, tokens squared
 * @param sumPrefillKvTokens tokens of those requests that were in the KV cache already (prefix hits, earlier chunks)
 * @param numDecodeRequests requests that decode in this step
 * @param sumDecodeKvTokens their context lengths, tokens, summed
 * @param varDecodeKvTokens population variance of their context lengths, tokens squared
 */
public record ScheduledRequests(
        long numPrefillRequests,
        long sumPrefillTokens,
        double varPrefillLength,
        long sumPrefillKvTokens,
        long numDecodeRequests,
        long sumDecodeKvTokens,
        double varDecodeKvTokens) {
    public static final ScheduledRequests NONE = new ScheduledRequests(0, 0, 0.0, 0, 0, 0, 0.0);
}
