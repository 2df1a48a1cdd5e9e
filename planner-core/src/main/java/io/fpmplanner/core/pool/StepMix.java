/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * How prefill and decode shared the steps of one rank lately: sums over its rolling window.
 *
 * @param steps steps with work
 * @param decodeSteps steps that carried decodes, mixed ones included
 * @param mixedSteps steps that carried decodes and prefill
 * @param prefillSteps steps with prefill only
 * @param prefillBursts runs of prefill-only steps that were followed by a step with decodes
 * @param stalledPrefill prefill of the prefill-only steps in those bursts
 * @param mixedPrefill prefill of the mixed steps
 * @param decodeRequests decode requests summed over steps, i.e. tokens generated without speculation
 * @param decodeKvTokens their context lengths, summed over steps, tokens
 * @param wallTimeSeconds time in steps
 * @param spanSeconds age of the oldest frame in the window
 */
public record StepMix(
        long steps,
        long decodeSteps,
        long mixedSteps,
        long prefillSteps,
        long prefillBursts,
        PrefillSums stalledPrefill,
        PrefillSums mixedPrefill,
        long decodeRequests,
        long decodeKvTokens,
        double wallTimeSeconds,
        double spanSeconds) {

    /** Prefill summed over some steps: chunks, tokens computed and cached tokens attended to. */
    public record PrefillSums(long requests, long tokens, long kvTokens) {}

    /** Share of the decode-carrying steps that carried prefill too, 0 to 1; 0 when nothing decoded. */
    public double mixedShare() {
        return decodeSteps == 0 ? 0 : (double) mixedSteps / decodeSteps;
    }

    /** Prefill-only bursts per decode-carrying step, 0 to 1; 0 when nothing decoded. */
    public double burstShare() {
        return decodeSteps == 0 ? 0 : Math.min(1, (double) prefillBursts / decodeSteps);
    }
}
