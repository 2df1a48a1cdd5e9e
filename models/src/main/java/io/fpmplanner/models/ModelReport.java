/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;
import java.util.Optional;

/**
 * What a model has learned, for people.
 *
 * @param coefficients learned costs, one per feature, none negative
 * @param framesLearned frames that entered the fit since the model was made or, for another engine, begun anew
 * @param framesQuarantined frames set aside as the unconfirmed first of their kind
 * @param framesRefused observations that were empty or not finite and taught nothing
 * @param driftResets times the past was given up because the engine had changed
 * @param seen the largest load the model has learned from since the last drift reset
 * @param prior what it started from and how much that counts still; empty if it started cold
 * @param restored what is still to be confirmed of a model that goes on from before a restart; empty for any other
 */
public record ModelReport(
        List<Coefficient> coefficients,
        long framesLearned,
        long framesQuarantined,
        long framesRefused,
        long driftResets,
        LargestSeen seen,
        Optional<PriorReport> prior,
        Optional<RestoredReport> restored) {
    public ModelReport {
        coefficients = List.copyOf(coefficients);
    }

    /**
     * The prior of a model. Weights are those in the predictions of a regime, 0 to 1; they only ever fade to 0.
     *
     * @param name its name
     * @param prefillWeight in prefill steps
     * @param decodeWeight in decode steps
     * @param mixedWeight in mixed steps
     */
    public record PriorReport(String name, double prefillWeight, double decodeWeight, double mixedWeight) {}

    /**
     * Of a model that was restored: its evidence in a regime is at most WARMING until so many more frames agree with
     * what it predicts.
     *
     * @param prefillFrames in prefill steps, &ge; 0
     * @param decodeFrames in decode steps, &ge; 0
     * @param mixedFrames in mixed steps, &ge; 0
     */
    public record RestoredReport(int prefillFrames, int decodeFrames, int mixedFrames) {}

    /**
     * Upper edge of the experience of a model; queries beyond it extrapolate.
     *
     * @param prefillRequests most requests prefilled in one step
     * @param prefillTokens most tokens prefilled in one step
     * @param prefillKvTokens most cached tokens that one step's prefill attended to
     * @param decodeRequests largest decode batch
     * @param decodeKvTokens most context tokens of a decode batch
     */
    public record LargestSeen(
            double prefillRequests,
            double prefillTokens,
            double prefillKvTokens,
            double decodeRequests,
            double decodeKvTokens,
            double prefillLengthVariance) {
        /** Whether the engine tells how unequal the prompts of a step are. */
        public boolean knowsPromptVariance() {
            return prefillLengthVariance > 0;
        }
    }
}
