/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * Step times learned elsewhere, to start from.
 *
 * <p>A model that has one predicts at once, with evidence WARMING, and is READY only once its own frames are enough. The
 * prior fades with the frames of each regime and is gone after {@value PriorBlend#FADED_FRAMES}, sooner if it errs; the
 * fit itself learns from own frames alone, so a wrong prior leaves nothing behind.
 *
 * @param name shown to people
 * @param learned what it knows; its settings need not be those of the model
 */
public record StepTimePrior(String name, LearnedStepTimes learned) {
    public StepTimePrior {
        if (learned.framesLearned() == 0) {
            throw new IllegalArgumentException("prior '" + name + "' has learned from no frame");
        }
    }
}
