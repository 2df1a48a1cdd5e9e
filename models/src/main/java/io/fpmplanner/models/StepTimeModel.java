/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Learns, frame by frame, how long a forward pass takes as a function of its batch composition.
 *
 * <p>One writer: not threadsafe. Everyone else reads a {@link #snapshot()}. {@link #observe} and {@link #predictSeconds}
 * allocate nothing, and the same observations in the same order always give the same model. State is about 20 kB.
 *
 * <p>Feed one model only frames of one engine, model, GPU type and timing scope.
 */
public final class StepTimeModel {
    /*
     * A frame passes: refusal (empty, not finite) -> quarantine (first of its kind, unless as expected) -> score against
     * the prediction made before it is learned -> drift check -> robust relative least squares -> residual table ->
     * misfit check.
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
    private static final int EXPECTS_FROM = 30;
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
    private final Quarantine quarantine = new Quarantine(StepBuckets.COARSE);
    private final DriftDetector drift = new DriftDetector();
    private final MisfitDetector misfit = new MisfitDetector();
    private final RecentSteps recent = new RecentSteps();
    private final double[] x = new double[Feature.COUNT];

    private long framesQuarantined;
    private long framesRefused;
    private long driftResets;

    public StepTimeModel(StepTimeSettings settings) {
        this.settings = settings;
        squares = new ForgettingLeastSquares(Feature.COUNT, settings.forgetting(), TOLERANCE);
        StepBuckets buckets = new StepBuckets(new GraphSizes(settings.graphBatchSizes()));
        residuals = new ResidualTable(buckets.fineCount());
        fit = new StepTimeFit(settings, buckets, squares.coefficients());
    }

    /** A model that starts from what was learned elsewhere, see {@link StepTimePrior}. */
    public StepTimeModel(StepTimeSettings settings, StepTimePrior prior) {
        this(settings);
        fit.startFrom(new PriorBlend(prior));
    }

    /** True while there is no prediction: nothing was learned and there is no prior. */
    public boolean isCold() {
        return !fit.canPredict();
    }

    /**
     * As {@link StepTimeSnapshot#evidence(StepWorkload)}, of this moment.
     *
     * @throws IllegalArgumentException if the step is empty
     */
    public Evidence evidence(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        return fit.evidence(step);
    }

    /**
     * The best single guess of the time of one step right now, seconds &gt; 0: the one with the least expected relative
     * error. It lies at the median of such steps, or a little below where their times scatter widely.
     *
     * @throws IllegalStateException while {@linkplain #isCold() cold}
     * @throws IllegalArgumentException if the step is empty
     */
    public double predictSeconds(StepWorkload step) {
        return centreSeconds(step)
                * Math.exp(fit.regime(step.regime()).quantiles().lean());
    }

    /**
     * What such a step usually takes, seconds &gt; 0: as learned over many frames, without what holds only at the moment.
     * Steps of one engine of many are compared with it, because the other answers soon follow whoever reports most.
     *
     * @throws IllegalStateException while {@linkplain #isCold() cold}
     * @throws IllegalArgumentException if the step is empty
     */
    public double usualSeconds(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        StepTimePredictor.requireLearned(fit);
        StepRegime regime = step.regime();
        return fit.baseSeconds(step, regime, x);
    }

    /**
     * The time that a share {@code probability} of such steps stays below right now, seconds &gt; 0.
     *
     * @param probability in (0, 1)
     * @throws IllegalStateException while {@linkplain #isCold() cold}
     * @throws IllegalArgumentException if the step is empty or the probability out of range
     */
    public double predictQuantileSeconds(StepWorkload step, double probability) {
        StepTimePredictor.requireProbability(probability);
        double centre = centreSeconds(step);
        double log = fit.regime(step.regime()).quantiles().at(LogQuantiles.normalQuantile(probability));
        return centre * Math.exp(log);
    }

    private double centreSeconds(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        StepTimePredictor.requireLearned(fit);
        StepRegime regime = step.regime();
        return fit.blend(step, regime, ownSeconds(step, regime), x);
    }

    private double ownSeconds(StepWorkload step, StepRegime regime) {
        return fit.baseSeconds(step, regime, x) * Math.exp(residuals.log(fit.buckets.fine(step, regime), regime));
    }

    /**
     * Learns from one measured step. An empty step, a value that is not finite or negative, or a wall time that is not
     * above 0 teaches nothing and is counted as refused; the first step of a kind is quarantined until another one
     * confirms it, unless it is about as long as predicted.
     */
    public void observe(StepWorkload step, double wallTimeSeconds) {
        if (!(wallTimeSeconds > 0) || Double.isInfinite(wallTimeSeconds) || !step.isValid() || step.isEmpty()) {
            framesRefused++;
            return;
        }
        StepRegime regime = step.regime();
        int coarse = fit.buckets.coarse(step, regime);
        if (!quarantine.admits(coarse, wallTimeSeconds) && !isExpected(step, wallTimeSeconds)) {
            framesQuarantined++;
            return;
        }
        recent.add(step, wallTimeSeconds);
        double logRatio = learn(step, regime, coarse, wallTimeSeconds);
        if (misfit.update(logRatio)) {
            startAnew();
        }
    }

    /** A model that knows something need not wait for a second step of a kind to believe a first one that fits. */
    private boolean isExpected(StepWorkload step, double wallTimeSeconds) {
        return fit.framesLearned() >= EXPECTS_FROM
                && Quarantine.agree(ownSeconds(step, step.regime()), wallTimeSeconds);
    }

    /** Returns log(measured / predicted), 0 for the very first step. */
    private double learn(StepWorkload step, StepRegime regime, int coarse, double wallTimeSeconds) {
        boolean first = fit.framesLearned() == 0;
        double blended = fit.hasPrior() ? scorePrior(step, regime, wallTimeSeconds) : Double.NaN;
        RegimeRecord record = fit.regime(regime);
        int fine = fit.buckets.fine(step, regime);
        fit.include(regime, wallTimeSeconds);
        double base = fit.baseSeconds(step, regime, x);
        double predicted = base * Math.exp(residuals.log(fine, regime));
        double scale = Math.max(base, scales.update(coarse, wallTimeSeconds));
        double width =
                CAUCHY_WIDTH * Math.max(SMALLEST_SPREAD, record.quantiles().spread());
        double error = (wallTimeSeconds / predicted - 1) / width;
        if (!Double.isNaN(blended)) {
            score(record, regime, blended, wallTimeSeconds);
        } else if (!first) {
            score(record, regime, predicted, wallTimeSeconds);
        }
        double logRatio = first ? 0 : Math.log(wallTimeSeconds / predicted);
        if (!first && drift.update(logRatio)) {
            reset();
        }
        if (Math.abs(error) < LARGEST_SEEN_ERROR) {
            fit.seen.include(step);
        }
        squares.add(x, wallTimeSeconds, 1 / (scale * scale * (1 + error * error)));
        squares.solve(ridge(), PRIOR_FRAMES, PASSES);
        residuals.update(
                fine,
                regime,
                Math.log(wallTimeSeconds / base),
                record.quantiles().spread());
        return logRatio;
    }

    private void score(RegimeRecord record, StepRegime regime, double predicted, double wallTimeSeconds) {
        double logRatio = Math.log(wallTimeSeconds / predicted);
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

    private void reset() {
        driftResets++;
        double ratio = drift.ratio();
        squares.restate(ratio, DISCOUNT);
        scales.restate(ratio);
        residuals.condense();
        fit.restate(ratio);
    }

    /**
     * Another engine, not another clock: one ratio would restate the past wrongly. A cold model learns faster than one
     * that has to unlearn, and the last few steps give it a start.
     */
    private void startAnew() {
        driftResets++;
        squares.clear();
        scales.clear();
        residuals.clear();
        errors.clear();
        fit.clear();
        drift.clear();
        for (int i = 0; i < recent.size(); i++) {
            StepWorkload step = recent.step(i);
            StepRegime regime = step.regime();
            learn(step, regime, fit.buckets.coarse(step, regime), recent.wallTimeSeconds(i));
        }
    }

    /** What was learned so far, to store, merge or {@link #restore}. Allocates. */
    public LearnedStepTimes export() {
        return snapshot().learned();
    }

    private Supplier<LearnedStepTimes> learned(StepTimeFit frozen) {
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

    /**
     * A model that goes on from what was learned. It predicts as the exported one but for the order of the last few
     * frames of each bucket, of which only the median is kept; quality figures start anew.
     */
    public static StepTimeModel restore(LearnedStepTimes learned) {
        StepTimeModel model = new StepTimeModel(learned.settings());
        model.load(learned);
        return model;
    }

    private void load(LearnedStepTimes learned) {
        fit.load(learned);
        squares.load(learned.squares());
        scales.load(learned.scales());
        residuals.load(learned.corrections());
        learned.scales().forEach(scale -> quarantine.confirm(scale.bucket()));
        for (LearnedStepTimes.RegimeSums sums : learned.regimes()) {
            residuals.load(sums.regime(), sums.blendLosses());
            errors.seed(sums.regime(), fit.regime(sums.regime()).quantiles(), sums.frames());
        }
        if (fit.framesLearned() > 0) {
            squares.solve(ridge(), PRIOR_FRAMES, RESTORING_PASSES);
        }
    }

    private double ridge() {
        return Math.max(SMALLEST_RIDGE, 1.0 / fit.framesLearned());
    }

    /** An immutable copy of what was learned so far, for other threads. Allocates; meant to be called once a tick. */
    public StepTimeSnapshot snapshot() {
        StepTimeFit frozen = fit.copy();
        return new StepTimeSnapshot(frozen, MonotoneCorrections.of(fit, residuals), report(), learned(frozen));
    }

    private ModelReport report() {
        return new ModelReport(
                fit.report(),
                fit.framesLearned(),
                framesQuarantined,
                framesRefused,
                driftResets,
                fit.seen.report(),
                fit.priorReport());
    }
}
