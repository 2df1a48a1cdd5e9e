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
 * @param spread how the lengths differ
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
        double ageSeconds,
        Spread spread) {
    /**
     * How lengths differ, tokens and tokens squared; 0 where nothing tells.
     *
     * @param decodeKvVariance population variance of the context lengths of decoding requests
     * @param queuedPrefillVariance population variance of the waiting prompts
     * @param cutPromptTokens tokens of the cut prompt that are in the cache, if it was alone in its step
     */
    public record Spread(double decodeKvVariance, double queuedPrefillVariance, double cutPromptTokens) {
        static final Spread NONE = new Spread(0, 0, 0);
    }

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
                ageSeconds,
                new Spread(spread.decodeKvVariance(), 0, spread.cutPromptTokens()));
    }

    /** Nothing to do. */
    static RankLoad idle(double ageSeconds) {
        return new RankLoad(true, 0, 0, 0, 0, 0, 0, 0, ageSeconds, Spread.NONE);
    }
}
