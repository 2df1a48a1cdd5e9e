/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;
import java.util.function.Supplier;

/** What a {@link StepTimeModel} knew at one moment. Immutable and threadsafe. */
public final class StepTimeSnapshot {
    private final StepTimeFit fit;
    private final double[] factors;
    private final ModelReport report;
    private final Supplier<LearnedStepTimes> learned;

    /** {@code factors} correct the fit, one a fine bucket; both are taken over. */
    StepTimeSnapshot(StepTimeFit fit, double[] factors, ModelReport report, Supplier<LearnedStepTimes> learned) {
        this.learned = learned;
        this.fit = fit;
        this.factors = factors;
        this.report = report;
    }

    /** Evidence of the regime learned best: COLD, WARMING or READY. COLD if nothing at all was learned. */
    public Evidence evidence() {
        return fit.evidence();
    }

    /**
     * Evidence behind predictions for one step: COLD if its regime was never learned (predictions then borrow from the
     * other regimes), WARMING, READY, or EXTRAPOLATING if the regime is ready but the load exceeds all that was seen.
     *
     * @throws IllegalArgumentException if the step is empty
     */
    public Evidence evidence(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        return fit.evidence(step);
    }

    /**
     * How far a step lies beyond the largest load seen: 1 if it does not, 2 if one of its loads is twice the largest
     * seen of its kind.
     */
    public double extrapolation(StepWorkload step) {
        return fit.seen.excess(step);
    }

    /** The same of the context of a prompt that is computed in chunks, tokens. */
    public double contextExtrapolation(double promptTokens) {
        return fit.seen.contextExcess(promptTokens);
    }

    /** One entry a regime, in the order of {@link StepRegime}. */
    public List<RegimeReadiness> readiness() {
        return fit.readiness();
    }

    /** A new predictor with its own scratch memory; make one a thread. */
    public StepTimePredictor predictor() {
        return new StepTimePredictor(fit, factors);
    }

    /** What was learned, to store, merge or {@link StepTimeModel#restore}. Allocates. */
    public LearnedStepTimes learned() {
        return learned.get();
    }

    StepTimeFit fit() {
        return fit;
    }

    double[] factors() {
        return factors;
    }

    public ModelReport report() {
        return report;
    }
}
