/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Optional;

/**
 * Learns, frame by frame, how long a forward pass takes as a function of its batch composition.
 *
 * <p>One writer: not threadsafe. Everyone else reads a {@link #snapshot()}. {@link #observe} and {@link #predictSeconds}
 * allocate nothing (but for a second learner when errors have become large, a few times in ten thousand steps), and the same observations in the same order always give the same model. State is about 19 kB.
 *
 * <p>Feed one model only frames of one engine, model, GPU type and timing scope.
 */
public final class StepTimeModel {
    /*
     * A frame passes: refusal (empty, not finite) -> quarantine (first of its kind, unless as expected) -> the learner ->
     * misfit check. Should another engine have taken over, a new learner follows the old one.
     */
    private static final int EXPECTS_FROM = 30;

    private final StepTimeSettings settings;
    private final Quarantine quarantine = new Quarantine(StepBuckets.COARSE);
    private final MisfitDetector misfit = new MisfitDetector();
    private final RecentSteps recent = new RecentSteps();
    private StepTimeLearner learner;

    private long framesQuarantined;
    private long framesRefused;
    private long lives;

    public StepTimeModel(StepTimeSettings settings) {
        this.settings = settings;
        this.learner = new StepTimeLearner(settings);
    }

    /** A model that starts from what was learned elsewhere, see {@link StepTimePrior}. */
    public StepTimeModel(StepTimeSettings settings, StepTimePrior prior) {
        this(settings);
        learner.fit().startFrom(new PriorBlend(prior));
    }

    /** True while there is no prediction: nothing was learned and there is no prior. */
    public boolean isCold() {
        return !learner.fit().canPredict();
    }

    /**
     * As {@link StepTimeSnapshot#evidence(StepWorkload)}, of this moment.
     *
     * @throws IllegalArgumentException if the step is empty
     */
    public Evidence evidence(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        return learner.fit().evidence(step);
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
                * Math.exp(learner.fit().regime(step.regime()).quantiles().lean());
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
        StepTimePredictor.requireLearned(learner.fit());
        return learner.usualSeconds(step);
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
        double log = learner.fit().regime(step.regime()).quantiles().at(LogQuantiles.normalQuantile(probability));
        return centre * Math.exp(log);
    }

    private double centreSeconds(StepWorkload step) {
        StepTimePredictor.requireStep(step);
        StepTimePredictor.requireLearned(learner.fit());
        return learner.centreSeconds(step);
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
        int coarse = learner.fit().buckets.coarse(step, step.regime());
        if (!quarantine.admits(coarse, wallTimeSeconds) && !isExpected(step, wallTimeSeconds)) {
            framesQuarantined++;
            return;
        }
        double logRatio = learner.learn(step, wallTimeSeconds);
        recent.add(step, wallTimeSeconds, logRatio);
        if (misfit.update(logRatio)) {
            challenge();
        }
    }

    /** A model that knows something need not wait for a second step of a kind to believe a first one that fits. */
    private boolean isExpected(StepWorkload step, double wallTimeSeconds) {
        return learner.fit().framesLearned() >= EXPECTS_FROM
                && Quarantine.agree(learner.ownSeconds(step, step.regime()), wallTimeSeconds);
    }

    /**
     * Lets a new learner live through the steps since errors began to be large. If it, knowing nothing else, would have
     * predicted them much better, then this is another engine. A clock change it would not: its ratio is soon known.
     * Allocates, but is called a few times in ten thousand steps.
     */
    private void challenge() {
        StepTimeLearner challenger = new StepTimeLearner(settings);
        if (recent.isBetter(challenger, misfit.steps())) {
            challenger.succeed(learner);
            learner = challenger;
            lives++;
            misfit.clear();
        }
    }

    /** What was learned so far, to store, merge or {@link #restore}. Allocates. */
    public LearnedStepTimes export() {
        return snapshot().learned();
    }

    /**
     * A model that goes on from what was learned. It predicts as the exported one but for the order of the last few
     * frames of each bucket, of which only the median is kept; quality figures start anew.
     */
    public static StepTimeModel restore(LearnedStepTimes learned) {
        StepTimeModel model = new StepTimeModel(learned.settings());
        model.learner.load(learned);
        learned.scales().forEach(scale -> model.quarantine.confirm(scale.bucket()));
        return model;
    }

    /**
     * A model that goes on from what it had learned before a pause, in which the engine may have become another one: it
     * predicts at once, but its evidence in a regime is at most WARMING until {@value RegimeRecord#CONFIRMING_FRAMES} more
     * frames agree with it than do not.
     *
     * @param prior what it had started from, if anything; counts where few frames were learned
     */
    public static StepTimeModel resume(LearnedStepTimes learned, Optional<StepTimePrior> prior) {
        StepTimeModel model = restore(learned);
        model.learner.fit().doubt();
        prior.ifPresent(start -> model.learner.fit().startFrom(new PriorBlend(start)));
        return model;
    }

    /** An immutable copy of what was learned so far, for other threads. Allocates; meant to be called once a tick. */
    public StepTimeSnapshot snapshot() {
        StepTimeFit frozen = learner.fit().copy();
        return new StepTimeSnapshot(frozen, learner.monotoneFactors(), report(), learner.learned(frozen));
    }

    private ModelReport report() {
        StepTimeFit fit = learner.fit();
        return new ModelReport(
                fit.report(),
                fit.framesLearned(),
                framesQuarantined,
                framesRefused,
                lives + learner.resets(),
                fit.seen.report(),
                fit.priorReport(),
                fit.restoredReport());
    }
}
