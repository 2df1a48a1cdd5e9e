/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

/**
 * What waits at a rank. Immutable.
 *
 * @param numPrefillRequests requests whose prompt has not started
 * @param sumPrefillTokens their full prompt lengths, prefix hits not yet known, summed
 * @param varPrefillLength population variance of those lengths, tokens squared
 * @param numDecodeRequests preempted requests, and on a decode-only engine those whose KV cache is still to come
 * @param sumDecodeKvTokens their context lengths, tokens, summed
 * @param varDecodeKvTokens population variance of their context lengths, tokens squared
 */
public record QueuedRequests(
        long numPrefillRequests,
        long sumPrefillTokens,
        double varPrefillLength,
        long numDecodeRequests,
        long sumDecodeKvTokens,
        double varDecodeKvTokens) {
    public static final QueuedRequests NONE = new QueuedRequests(0, 0, 0.0, 0, 0, 0.0);
}
