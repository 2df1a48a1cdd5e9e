/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/** Sums up what the steps of one rank say about its requests, until a tick takes the sums. Not threadsafe. */
final class StepTally {
    private final StepBudget budget;
    private final StandingBatch standing;
    private final TickTotals totals = new TickTotals();
    private double standingSeconds;
    private ItlBounds itlBounds = ItlBounds.NONE;

    /** @param standing the requests that decode, as they were before the step that is added */
    StepTally(StepBudget budget, StandingBatch standing) {
        this.budget = budget;
        this.standing = standing;
    }

    /** Tokens are counted by these from now on, the gap between steps left out. */
    void expectItl(ItlBounds bounds) {
        itlBounds = bounds;
    }

    /** The sums, which the tick clears. */
    TickTotals totals() {
        return totals;
    }

    /** Forgets for how long the batch has stood still. */
    void forgetStanding() {
        standingSeconds = 0;
    }

    /**
     * Adds a step.
     *
     * @param steps how many it stands for, &ge; 1
     * @param decodes for how many of them as far as they decode, &ge; 1
     */
    void add(FpmFrame frame, long steps, long decodes) {
        totals.steps += steps;
        totals.prefillTokens += steps * frame.scheduledPrefillTokens();
        totals.prefillsCompleted += steps * budget.completedPrefills(frame);
        totals.decodeTokens += decodes * frame.scheduledDecodeRequests();
        totals.decodeKvTokens += decodes * frame.scheduledDecodeKvTokens();
        totals.decodeKvDeviation +=
                decodes * frame.scheduledDecodeRequests() * Math.sqrt(frame.scheduledDecodeKvVariance());
        countPromptLengths(frame);
        countTokenGaps(frame);
    }

    /** Adds what changed from one step to the one right after it. */
    void addChange(FpmFrame lastStep, FpmFrame frame) {
        if (!budget.cutsPrompt(lastStep) && !budget.cutsPrompt(frame)) {
            totals.wholePromptTokens += frame.scheduledPrefillTokens();
            totals.wholePromptCachedTokens += frame.scheduledPrefillKvTokens();
            totals.wholePrompts += frame.scheduledPrefillRequests();
        }
        countDecodeChanges(lastStep, frame);
    }

    /** Decodes that stand still during a step of prompts only get their next token that much later. */
    private void countTokenGaps(FpmFrame frame) {
        long decodes = frame.scheduledDecodeRequests();
        if (decodes == 0) {
            standingSeconds += standing.requests() > 0 ? frame.wallTimeSeconds() : 0;
            return;
        }
        totals.addTokens(decodes, frame.wallTimeSeconds() + standingSeconds, itlBounds);
        standingSeconds = 0;
    }

    /*
     * The prompts of a step that cuts none end in it, and their tokens are all there: computed now, before, or found in the
     * cache. With the variance that engines report of full lengths, that gives the second moment.
     */
    private void countPromptLengths(FpmFrame frame) {
        double prompts = frame.scheduledPrefillRequests();
        if (prompts == 0 || budget.cutsPrompt(frame)) {
            return;
        }
        double tokens = (double) frame.scheduledPrefillTokens() + frame.scheduledPrefillKvTokens();
        totals.knownPrompts += frame.scheduledPrefillRequests();
        totals.knownPromptTokens += (long) tokens;
        totals.promptLengths.add(frame.scheduledPrefillRequests(), tokens, frame.scheduledPrefillLengthVariance());
        totals.knownPromptSquares += prompts * frame.scheduledPrefillLengthVariance() + tokens * tokens / prompts;
    }

    /*
     * Without changes the summed context grows by the tokens generated: one a request, more under speculation. A
     * batch of the same size that grew by less has surely lost a request and got another.
     */
    private void countDecodeChanges(FpmFrame lastStep, FpmFrame frame) {
        long before = lastStep.scheduledDecodeRequests();
        totals.pairedDecodeTokens += frame.scheduledDecodeRequests();
        if (before == 0) {
            totals.decodeJoined += frame.scheduledDecodeRequests();
            if (frame.scheduledDecodeRequests() == 1 && lastStep.scheduledPrefillRequests() == 0) {
                totals.addJoiner(frame.scheduledDecodeKvTokens());
            }
            return;
        }
        long change = frame.scheduledDecodeRequests() - before;
        long growth = frame.scheduledDecodeKvTokens() - lastStep.scheduledDecodeKvTokens();
        boolean unchanged = change == 0 && growth == before;
        boolean swapped = change == 0 && growth < before;
        totals.decodeJoined += Math.max(0, change) + (swapped ? 1 : 0);
        totals.decodeLeft += Math.max(0, -change) + (swapped ? 1 : 0);
        if (!budget.isFull(lastStep)) {
            countContexts(before, change, growth - before, lastStep.scheduledPrefillRequests() == 0);
        }
        boolean full = change == 0 && budget.isFull(lastStep);
        totals.decodePairs += full ? 0 : 1;
        totals.unchangedPairs += unchanged && !full ? 1 : 0;
        totals.fullPairs += full ? 1 : 0;
        totals.unchangedFullPairs += unchanged && full ? 1 : 0;
    }

    /*
     * Leaves show where one request fewer decodes and none can have come. Unchanged pairs are the exposure: both need that
     * nobody joined, so the ratio is the chance to leave, however joins are bunched.
     */
    private void countContexts(long before, long change, long contextChange, boolean noPrompts) {
        if (change == 0 && contextChange == 0) {
            totals.exposedTokens += before;
        } else if (change == -1 && contextChange < 0) {
            totals.loneLeavers++;
        } else if (change == 1) {
            totals.joinedSquares += before * before;
        }
        if (change == 1 && contextChange > 0 && noPrompts) {
            totals.addJoiner(contextChange);
        }
    }
}
