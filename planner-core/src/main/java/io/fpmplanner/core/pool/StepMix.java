/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/**
 * How prefill and decode shared the steps of one rank lately: sums over its rolling window.
 *
 * @param steps steps with work
 * @param decodeSteps steps that carried decodes, mixed ones included
 * @param mixedSteps steps that carried decodes and prefill
 * @param mixedPrefill prefill of those
 * @param stalls times that running decodes stood still while prefill-only steps ran
 * @param stalledSteps prefill-only steps in those stalls
 * @param stalledSeconds wall time of those
 * @param decodeRequests decode requests summed over steps, i.e. tokens generated without speculation
 * @param decodeKvTokens their context lengths, summed over steps, tokens
 * @param wallTimeSeconds time in steps
 * @param spanSeconds age of the oldest frame in the window
 */
public record StepMix(
        long steps,
        long decodeSteps,
        long mixedSteps,
        PrefillSums mixedPrefill,
        long stalls,
        long stalledSteps,
        double stalledSeconds,
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

    /** Stalls per decode-carrying step, 0 to 1; 0 when nothing decoded. */
    public double stallShare() {
        return decodeSteps == 0 ? 0 : Math.min(1, (double) stalls / decodeSteps);
    }
}
