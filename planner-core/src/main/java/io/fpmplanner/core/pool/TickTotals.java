/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.List;

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
    /** Standard deviation of the contexts of a step, summed over its tokens. */
    double decodeKvDeviation;

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

    /** Prompts of steps that left none cut, whose full lengths are thus known: count, tokens, squares. */
    long knownPrompts;

    long knownPromptTokens;
    double knownPromptSquares;
    final PromptLengths.Counts promptLengths = new PromptLengths.Counts();
    /** Requests seen to join a decode batch alone, by their context: count, tokens, squares. */
    long joiners;

    long joinerTokens;
    double joinerSquares;
    /** Pairs of steps with one request fewer, and the requests summed over pairs without change. */
    long loneLeavers;

    long exposedTokens;
    /** Squared batch, summed over pairs with one request more. */
    long joinedSquares;

    /** Time between tokens, summed over the tokens of steps that were received, and their number. */
    double itlSeconds;

    long itlTokens;
    /** Those of them that came within the predicted percentiles. */
    long itlWithin50;

    long itlWithin90;
    long itlWithin99;
    /** Prompts seen waiting at ticks: count, tokens, squares. */
    long waitingPrompts;

    long waitingTokens;
    double waitingSquares;

    /** Adds tokens that came after a time, the gap between steps left out, as it is of the bounds. */
    void addTokens(long tokens, double seconds, ItlBounds bounds) {
        itlSeconds += tokens * seconds;
        itlTokens += tokens;
        itlWithin50 += seconds <= bounds.p50() ? tokens : 0;
        itlWithin90 += seconds <= bounds.p90() ? tokens : 0;
        itlWithin99 += seconds <= bounds.p99() ? tokens : 0;
    }

    /** Latency as far as these frames show it, which leave out the gap between steps. */
    SeenLatency seen(double gapSeconds, List<SeenLatency.Wait> waits) {
        if (itlTokens == 0) {
            return new SeenLatency(0, 0, new SeenLatency.Within(0, 0, 0), waits);
        }
        double all = itlTokens;
        return new SeenLatency(
                itlTokens,
                itlSeconds / all + gapSeconds,
                new SeenLatency.Within(itlWithin50 / all, itlWithin90 / all, itlWithin99 / all),
                waits);
    }

    /** Notes who waits; engines that report no variance have nothing to say of two or more. */
    void addWaiting(RankLoad load) {
        double prompts = load.queuedPrefillRequests();
        double variance = load.spread().queuedPrefillVariance();
        if (prompts < 1 || (prompts > 1 && variance <= 0)) {
            return;
        }
        double tokens = load.queuedPrefillTokens();
        waitingPrompts += (long) prompts;
        waitingTokens += (long) tokens;
        waitingSquares += prompts * variance + tokens * tokens / prompts;
    }

    void addJoiner(long contextTokens) {
        joiners++;
        joinerTokens += contextTokens;
        joinerSquares += (double) contextTokens * contextTokens;
    }

    /** Adds all of another. */
    void addAll(TickTotals other) {
        promptLengths.addAll(other.promptLengths);
        itlSeconds += other.itlSeconds;
        itlTokens += other.itlTokens;
        itlWithin50 += other.itlWithin50;
        itlWithin90 += other.itlWithin90;
        itlWithin99 += other.itlWithin99;
        waitingPrompts += other.waitingPrompts;
        waitingTokens += other.waitingTokens;
        waitingSquares += other.waitingSquares;
        steps += other.steps;
        prefillTokens += other.prefillTokens;
        prefillsCompleted += other.prefillsCompleted;
        decodeTokens += other.decodeTokens;
        decodeKvTokens += other.decodeKvTokens;
        decodeKvDeviation += other.decodeKvDeviation;
        decodeJoined += other.decodeJoined;
        decodeLeft += other.decodeLeft;
        decodePairs += other.decodePairs;
        pairedDecodeTokens += other.pairedDecodeTokens;
        unchangedPairs += other.unchangedPairs;
        fullPairs += other.fullPairs;
        unchangedFullPairs += other.unchangedFullPairs;
        wholePromptTokens += other.wholePromptTokens;
        wholePromptCachedTokens += other.wholePromptCachedTokens;
        wholePrompts += other.wholePrompts;
        knownPrompts += other.knownPrompts;
        knownPromptTokens += other.knownPromptTokens;
        knownPromptSquares += other.knownPromptSquares;
        joiners += other.joiners;
        joinerTokens += other.joinerTokens;
        joinerSquares += other.joinerSquares;
        loneLeavers += other.loneLeavers;
        exposedTokens += other.exposedTokens;
        joinedSquares += other.joinedSquares;
    }

    void clear() {
        promptLengths.clear();
        itlSeconds = 0;
        itlTokens = 0;
        itlWithin50 = 0;
        itlWithin90 = 0;
        itlWithin99 = 0;
        waitingPrompts = 0;
        waitingTokens = 0;
        waitingSquares = 0;
        knownPrompts = 0;
        knownPromptTokens = 0;
        knownPromptSquares = 0;
        loneLeavers = 0;
        exposedTokens = 0;
        joinedSquares = 0;
        joiners = 0;
        joinerTokens = 0;
        joinerSquares = 0;
        steps = 0;
        prefillTokens = 0;
        prefillsCompleted = 0;
        decodeTokens = 0;
        decodeKvTokens = 0;
        decodeKvDeviation = 0;
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
