/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * What one rank has to do, as its newest step frame tells; all zero when idle. Quantities are requests and tokens.
 *
 * @param idle nothing runs and nothing waits, as far as frames can prove it
 * @param decodeRequests requests that decode now, those whose prefill ended with the newest step included
 * @param decodeKvTokens their context lengths, summed
 * @param unfinishedChunkTokens expected tokens still to be prefilled of a prompt cut by the token budget
 * @param queuedPrefillRequests prompts that wait
 * @param queuedPrefillTokens their tokens, cache hits not discounted
 * @param queuedDecodeRequests requests that wait to decode
 * @param queuedDecodeKvTokens their context lengths, summed
 * @param ageSeconds time since the frame this was read from
 */
public record RankLoad(
        boolean idle,
        double decodeRequests,
        double decodeKvTokens,
        double unfinishedChunkTokens,
        double queuedPrefillRequests,
        double queuedPrefillTokens,
        double queuedDecodeRequests,
        double queuedDecodeKvTokens,
        double ageSeconds) {
    /** This load with another queue, in which something waits. */
    RankLoad withQueue(double prefillRequests, double prefillTokens, double decodeRequests, double decodeKvTokens) {
        return new RankLoad(
                false,
                this.decodeRequests,
                this.decodeKvTokens,
                unfinishedChunkTokens,
                prefillRequests,
                prefillTokens,
                decodeRequests,
                decodeKvTokens,
                ageSeconds);
    }

    /** Nothing to do. */
    static RankLoad idle(double ageSeconds) {
        return new RankLoad(true, 0, 0, 0, 0, 0, 0, 0, ageSeconds);
    }
}
