/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;

/**
 * What a {@link StepTimeModel} has learned, in a form that can be stored, added up and learned on from. Immutable.
 *
 * <p>The least-squares statistics are sums over frames, so they are exact: two of them merged are those of one learner that
 * saw the frames of both, each stream ageing by its own frames (without forgetting: whatever the order). Everything
 * else summarises order statistics and moving averages; when merged it is averaged by frames, which is an approximation
 * that new frames replace within a few hundred.
 *
 * @param version of this form, {@link #VERSION}
 * @param settings the settings it was learned with
 * @param features names of the columns, in order
 * @param featureScales what the raw quantity of each column was divided by
 * @param squares sums over frames
 * @param framesLearned frames learned from since the start
 * @param regimes one entry a regime, in the order of {@link StepRegime}
 * @param scales usual wall times of coarse buckets that were met, ascending by bucket
 * @param corrections of fine buckets that were met, ascending by bucket
 * @param seen the largest load learned from
 */
public record LearnedStepTimes(
        int version,
        StepTimeSettings settings,
        List<String> features,
        List<Double> featureScales,
        SquareSums squares,
        long framesLearned,
        List<RegimeSums> regimes,
        List<Scale> scales,
        List<Correction> corrections,
        ModelReport.LargestSeen seen) {
    /** The only version that is understood. It changes whenever a column or a bucket changes its meaning. */
    public static final int VERSION = 3;

    public LearnedStepTimes {
        features = List.copyOf(features);
        featureScales = List.copyOf(featureScales);
        regimes = List.copyOf(regimes);
        scales = List.copyOf(scales);
        corrections = List.copyOf(corrections);
        LearnedChecks.form(version, features, featureScales);
        LearnedChecks.squares(squares);
        LearnedChecks.atLeastZero("framesLearned", (double) framesLearned);
        LearnedChecks.regimes(regimes);
        LearnedChecks.buckets("scales", scales.stream().mapToInt(Scale::bucket), StepBuckets.COARSE);
        int fine = StepBuckets.COARSE + settings.graphBatchSizes().size();
        LearnedChecks.buckets("corrections", corrections.stream().mapToInt(Correction::bucket), fine);
    }

    /**
     * Sums over the frames, each weighted by what forgetting has left of it; the newest frame counts in full.
     *
     * @param frames sum of what is left of each frame
     * @param weight sum of the weights, 1/s^2
     * @param targetEnergy weighted sum of squared wall times; no unit
     * @param information weighted sum of products of columns, the upper triangle row after row
     * @param vector weighted sum of column times wall time
     */
    public record SquareSums(
            double frames, double weight, double targetEnergy, List<Double> information, List<Double> vector) {
        public SquareSums {
            information = List.copyOf(information);
            vector = List.copyOf(vector);
        }
    }

    /**
     * What is kept of one regime.
     *
     * @param regime the regime
     * @param frames frames learned since the start or the last drift reset
     * @param typicalSeconds moving average of wall times
     * @param measuredSeconds moving sum of wall times
     * @param predictedSeconds moving sum of predictions
     * @param logErrors quantiles of log(measured / predicted) at the levels the model keeps, ascending
     * @param blendLosses of the quick, the steady and no correction
     */
    public record RegimeSums(
            StepRegime regime,
            long frames,
            double typicalSeconds,
            double measuredSeconds,
            double predictedSeconds,
            List<Double> logErrors,
            List<Double> blendLosses) {
        public RegimeSums {
            logErrors = List.copyOf(logErrors);
            blendLosses = List.copyOf(blendLosses);
        }
    }

    /** Usual wall time of a coarse bucket, and the frames it rests on. */
    public record Scale(int bucket, double seconds, int frames) {
        public Scale {
            LearnedChecks.positive("scales.seconds", seconds);
            LearnedChecks.atLeastZero("scales.frames", frames);
        }
    }

    /** Log corrections of a fine bucket by its quick average and by its steady one, and the frames they rest on. */
    public record Correction(int bucket, double recentLog, double steadyLog, long frames) {
        public Correction {
            LearnedChecks.finite("corrections.recentLog", recentLog);
            LearnedChecks.finite("corrections.steadyLog", steadyLog);
            LearnedChecks.atLeastZero("corrections.frames", (double) frames);
        }
    }

    /**
     * What one learner would know that saw the frames of both, see the class comment for how exactly.
     *
     * @throws IllegalArgumentException if the two were learned with different settings
     */
    public LearnedStepTimes mergedWith(LearnedStepTimes other) {
        return LearnedMerge.merge(this, other);
    }
}
