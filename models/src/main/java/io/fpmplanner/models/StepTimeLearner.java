/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * One life of a {@link StepTimeModel}: what was learned of one engine since it came up. Not threadsafe; learning and
 * predicting allocate nothing.
 */
final class StepTimeLearner {
    /*
     * A frame passes: score against the prediction made before it is learned -> drift check -> robust relative least
     * squares -> residual table.
     *
     * Weight: errors are relative, so a frame weighs 1/scale^2 (the quasi-likelihood of a constant coefficient of
     * variation: McCullagh and Nelder 1989, chapter 8). The scale is the larger of the fitted time and the smoothed
     * wall time of the frame's bucket. The frame's own time would not do, and the bucket alone neither: with async
     * scheduling an engine books the last chunk of a prefill on its neighbour, so that a whole bucket reads 2 ms
     * instead of 47, would get 500 times the weight of the others and drag the fit down to it.
     *
     * Robustness: a frame that is off by many times the typical error of its regime is a compile stall, a neighbour's
     * time or another engine. It gets the weight of a Cauchy error, 1 / (1 + (error / width)^2), one iteration of
     * reweighted least squares a frame (Holland and Welsch 1977). The typical error is half the interquartile range of
     * the last errors, which stragglers do not inflate. Should the engine really have changed, the residual table
     * moves within a few frames, the errors shrink and the fit follows.
     *
     * Ridge: with n frames the diagonal is inflated by 1/n, so that a model that has seen only small batches does not
     * explain them by a huge slope (errors of 1000 % on larger batches without it, 14 % with it, after 100 frames).
     * That pull is relative to what a column has shown. A column that was hardly ever on has shown next to nothing, and
     * could get any slope to explain a straggler (1 s for the next larger batch, in a recording that began with equal
     * contexts); so each is also held by a twentieth of an average frame that saw it cost nothing.
     */
    private static final double CAUCHY_WIDTH = 8;

    /** A step that fits so badly, in widths, is no experience of such loads. */
    private static final double LARGEST_SEEN_ERROR = 3;

    private static final double SMALLEST_SPREAD = 0.02;
    private static final double SMALLEST_RIDGE = 1e-4;
    private static final double PRIOR_FRAMES = 0.05;
    /*
     * A warm start is near, so few passes do; what is left is made up at the next frame. Ever more passes to a tenth of
     * the tolerance change no figure by 0.01 points and take twice the time.
     */
    private static final double TOLERANCE = 1e-4;

    private static final int PASSES = 6;
    private static final int RESTORING_PASSES = 1000;
    private static final double DISCOUNT = 0.01;

    private final StepTimeSettings settings;
    private final ForgettingLeastSquares squares;
    private final ResidualTable residuals;
    private final StepTimeFit fit;
    private final ErrorWindows errors = new ErrorWindows();
    private final ScaleTable scales = new ScaleTable(StepBuckets.COARSE);
    private final DriftDetector drift = new DriftDetector();
    private final double[] x = new double[Feature.COUNT];
    private long resets;

    StepTimeLearner(StepTimeSettings settings) {
        this.settings = settings;
        squares = new ForgettingLeastSquares(Feature.COUNT, settings.forgetting(), TOLERANCE);
        StepBuckets buckets = new StepBuckets(new GraphSizes(settings.graphBatchSizes()));
        residuals = new ResidualTable(buckets.fineCount());
        fit = new StepTimeFit(settings, buckets, squares.coefficients());
    }

    /** Live, not a copy. */
    StepTimeFit fit() {
        return fit;
    }

    /** How often the past was restated because the engine had become slower or faster as a whole. */
    long resets() {
        return resets;
    }

    /** Takes on what outlives an engine: how well was predicted so far, and that there was a prior. */
    void succeed(StepTimeLearner other) {
        fit.succeed(other.fit);
        resets = other.resets;
    }

    /** The regression alone, seconds. */
    double usualSeconds(StepWorkload step) {
        return fit.baseSeconds(step, step.regime(), x);
    }

    /** What the distribution of the regime's errors departs from, seconds. */
    double centreSeconds(StepWorkload step) {
        StepRegime regime = step.regime();
        return fit.blend(step, regime, ownSeconds(step, regime), x);
    }

    /** The corrected regression, without a prior, seconds. */
    double ownSeconds(StepWorkload step, StepRegime regime) {
        return fit.baseSeconds(step, regime, x) * Math.exp(residuals.log(fit.buckets.fine(step, regime), regime));
    }

    /** Learns from a step that took so long; returns log(measured / predicted), 0 for the very first step. */
    double learn(StepWorkload step, double wallTimeSeconds) {
        StepRegime regime = step.regime();
        boolean first = fit.framesLearned() == 0;
        double blended = fit.hasPrior() ? scorePrior(step, regime, wallTimeSeconds) : Double.NaN;
        RegimeRecord record = fit.regime(regime);
        int fine = fit.buckets.fine(step, regime);
        fit.include(regime, wallTimeSeconds);
        double base = fit.baseSeconds(step, regime, x);
        double predicted = base * Math.exp(residuals.log(fine, regime));
        double scale = Finite.max(base, scales.update(fit.buckets.coarse(step, regime), wallTimeSeconds));
        double width =
                CAUCHY_WIDTH * Finite.max(SMALLEST_SPREAD, record.quantiles().spread());
        double error = (wallTimeSeconds / predicted - 1) / width;
        double logRatio = first ? 0 : Math.log(wallTimeSeconds / predicted);
        if (!Double.isNaN(blended)) {
            score(record, regime, blended, wallTimeSeconds, Math.log(wallTimeSeconds / blended));
        } else if (!first) {
            score(record, regime, predicted, wallTimeSeconds, logRatio);
        }
        if (!first && drift.update(logRatio)) {
            restate();
        }
        if (Math.abs(error) < LARGEST_SEEN_ERROR) {
            fit.seen.include(step);
        }
        squares.add(x, wallTimeSeconds, 1 / (scale * scale * (1 + error * error)));
        squares.solve(ridge(), PRIOR_FRAMES, PASSES);
        residuals.update(fine, regime, Math.log(wallTimeSeconds / base));
        return logRatio;
    }

    private void score(
            RegimeRecord record, StepRegime regime, double predicted, double wallTimeSeconds, double logRatio) {
        record.score(predicted, wallTimeSeconds, logRatio);
        errors.update(regime, logRatio, record.quantiles());
    }

    /** Compares the prior with the fit as both were before this frame, and returns what was predicted. */
    private double scorePrior(StepWorkload step, StepRegime regime, double wallTimeSeconds) {
        double own = fit.framesLearned() == 0 ? Double.NaN : ownSeconds(step, regime);
        double blended = fit.blend(step, regime, own, x);
        fit.scorePrior(step, own, wallTimeSeconds, x);
        return blended;
    }

    private void restate() {
        resets++;
        double ratio = drift.ratio();
        squares.restate(ratio, DISCOUNT);
        scales.restate(ratio);
        residuals.condense();
        fit.restate(ratio);
    }

    /** What was learned, to be put together later and by any thread; {@code frozen} is a copy of the fit. */
    Supplier<LearnedStepTimes> learned(StepTimeFit frozen) {
        ForgettingLeastSquares sums = squares.copyOfSums();
        List<LearnedStepTimes.Scale> usual = scales.scales();
        List<LearnedStepTimes.Correction> corrections = residuals.corrections();
        List<LearnedStepTimes.RegimeSums> regimes = Arrays.stream(StepRegime.values())
                .map(regime -> frozen.regime(regime).sums(regime, residuals.losses(regime)))
                .toList();
        return () -> new LearnedStepTimes(
                LearnedStepTimes.VERSION,
                settings,
                Feature.ALL.stream().map(Feature::label).toList(),
                Feature.ALL.stream().map(Feature::scale).toList(),
                sums.sums(),
                frozen.framesLearned(),
                regimes,
                usual,
                corrections,
                frozen.seen.report());
    }

    void load(LearnedStepTimes learned) {
        fit.load(learned);
        squares.load(learned.squares());
        scales.load(learned.scales());
        residuals.load(learned.corrections());
        for (LearnedStepTimes.RegimeSums sums : learned.regimes()) {
            residuals.load(sums.regime(), sums.blendLosses());
            errors.seed(sums.regime(), fit.regime(sums.regime()).quantiles(), sums.frames());
        }
        if (fit.framesLearned() > 0) {
            squares.solve(ridge(), PRIOR_FRAMES, RESTORING_PASSES);
        }
    }

    /** One factor a fine bucket, for what-if questions. */
    double[] monotoneFactors() {
        return MonotoneCorrections.of(fit, residuals);
    }

    private double ridge() {
        return Finite.max(SMALLEST_RIDGE, 1.0 / fit.framesLearned());
    }
}
