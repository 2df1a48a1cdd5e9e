/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * What the steps of a pool did since its last tick, lost ones counted like the frame after the gap. Plain counters of one writer, all reset together; none overflows
 * within a tick at plausible frames.
 */
final class TickTotals {
    long steps;
    long prefillTokens;
    long prefillsCompleted;
    long decodeTokens;
    long decodeKvTokens;
    /** Requests that joined and left decode batches, read from changes between consecutive steps. */
    long decodeJoined;

    long decodeLeft;
    /** Pairs of consecutive decode steps, and those of them between which no request joined or left. */
    long decodePairs;

    long pairedDecodeTokens;
    long unchangedPairs;
    /** The same for pairs with a full and constant batch, where each request that leaves is replaced at once. */
    long fullPairs;

    long unchangedFullPairs;
    /** Steps whose prompts all began and ended in them: tokens computed, tokens found in the cache, prompts. */
    long wholePromptTokens;

    long wholePromptCachedTokens;
    long wholePrompts;

    void clear() {
        steps = 0;
        prefillTokens = 0;
        prefillsCompleted = 0;
        decodeTokens = 0;
        decodeKvTokens = 0;
        decodeJoined = 0;
        decodeLeft = 0;
        decodePairs = 0;
        pairedDecodeTokens = 0;
        unchangedPairs = 0;
        fullPairs = 0;
        unchangedFullPairs = 0;
        wholePromptTokens = 0;
        wholePromptCachedTokens = 0;
        wholePrompts = 0;
    }
}
