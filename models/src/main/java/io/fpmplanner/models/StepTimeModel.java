/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/**
 * Learns, frame by frame, how long a forward pass takes as a function of its batch composition.
 *
 * <p>One writer: not threadsafe. Everyone else reads a {@link #snapshot()}. {@link #observe} and {@link #predictSeconds}
 * allocate nothing, and the same observations in the same order always give the same model. State is a few kB.
 *
 * <p>Feed one model only frames of one engine, model, GPU type and timing scope.
 */
public final class StepTimeModel {
    /*
     * A frame passes: refusal (empty, not finite) -> quarantine (first of its kind) -> score against the prediction
     * made before it is learned -> drift check -> weighted, Huber-clipped least squares -> residual table.
     *
     * Huber: a frame whose error exceeds HUBER_WIDTH times the typical error of its regime loses weight in proportion
     * (iteratively reweighted least squares with one iteration a frame; Huber 1964).
     * Ridge: with n frames the diagonal is inflated by 1/n, so that a model that has seen only small batches does not
     * explain them by a huge slope (errors of 1000 % on larger batches without it, 14 % with it, after 100 frames).
     */
    private static final double HUBER_WIDTH = 2;

    private static final double SMALLEST_ERROR_SCALE = 0.02;
    private static final double SMALLEST_RIDGE = 1e-3;
    private static final int PASSES = 30;
    private static final double DISCOUNT = 0.01;
    private static final double LARGEST_LOG = 3;

    private final ForgettingLeastSquares squares;
    private final StepTimeFit fit;
    private final ScaleTable scales = new ScaleTable(StepBuckets.COARSE);
    private final Quarantine quarantine = new Quarantine(StepBuckets.COARSE);
    private final DriftDetector drift = new DriftDetector();
    private final double[] x = new double[Feature.COUNT];

    private long framesQuarantined;
    private long framesRefused;
    private long driftResets;

    public StepTimeModel(StepTimeSettings settings) {
        squares = new ForgettingLeastSquares(Feature.COUNT, settings.forgetting());
        fit = new StepTimeFit(settings, squares.coefficients());
    }

    /** True while nothing was learned; then there is no prediction. */
    public boolean isCold() {
        return fit.framesLearned() == 0;
    }

    /**
     * Median time of one step, seconds &gt; 0, as predicted right now.
     *
     * @throws IllegalStateException while {@linkplain #isCold() cold}
     * @throws IllegalArgumentException if the step is empty
     */
    public double predictSeconds(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        StepTimePredictor.requireLearned(fit);
        StepRegime regime = step.regime();
        return fit.baseSeconds(step, regime, x) * fit.residuals.factor(fit.buckets.fine(step, regime));
    }

    /**
     * Learns from one measured step. An empty step, a value that is not finite or negative, or a wall time that is not
     * above 0 teaches nothing and is counted as refused; the first step of a kind is quarantined until another one
     * confirms it.
     */
    public void observe(StepWorkload step, double wallTimeSeconds) {
        if (!(wallTimeSeconds > 0) || Double.isInfinite(wallTimeSeconds) || !step.isValid() || step.isEmpty()) {
            framesRefused++;
            return;
        }
        StepRegime regime = step.regime();
        int coarse = fit.buckets.coarse(step, regime);
        if (!quarantine.admits(coarse, wallTimeSeconds)) {
            framesQuarantined++;
            return;
        }
        learn(step, regime, coarse, wallTimeSeconds);
    }

    private void learn(StepWorkload step, StepRegime regime, int coarse, double wallTimeSeconds) {
        boolean first = isCold();
        RegimeRecord record = fit.regime(regime);
        int fine = fit.buckets.fine(step, regime);
        fit.include(step, regime, wallTimeSeconds);
        double base = fit.baseSeconds(step, regime, x);
        double predicted = base * fit.residuals.factor(fine);
        double scale = scales.update(coarse, wallTimeSeconds);
        double width = HUBER_WIDTH * Math.max(SMALLEST_ERROR_SCALE, record.errorScale());
        double error = Math.abs(wallTimeSeconds - predicted) / scale;
        if (!first) {
            double logRatio = Math.log(wallTimeSeconds / predicted);
            record.score(predicted, wallTimeSeconds, logRatio);
            if (drift.update(logRatio)) {
                reset();
            }
        }
        double huber = error <= width ? 1 : width / error;
        squares.add(x, wallTimeSeconds, huber / (scale * scale));
        squares.solve(Math.max(SMALLEST_RIDGE, 1.0 / fit.framesLearned()), PASSES);
        double logBase = Math.log(wallTimeSeconds / base);
        fit.residuals.update(fine, Math.max(-LARGEST_LOG, Math.min(LARGEST_LOG, logBase)));
    }

    private void reset() {
        driftResets++;
        double ratio = drift.ratio();
        squares.restate(ratio, DISCOUNT);
        scales.restate(ratio);
        fit.restate(ratio);
    }

    /** An immutable copy of what was learned so far, for other threads. Allocates; meant to be called once a tick. */
    public StepTimeSnapshot snapshot() {
        return new StepTimeSnapshot(fit.copy(), report());
    }

    private ModelReport report() {
        return new ModelReport(
                fit.report(), fit.framesLearned(), framesQuarantined, framesRefused, driftResets, fit.seen.report());
    }
}
