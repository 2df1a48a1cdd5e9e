/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;
import java.util.OptionalDouble;

/** What is kept of one regime: how much was learned, how well it is predicted. Not threadsafe; copies independent. */
final class RegimeRecord {
    private static final double RATE = 0.05;
    /** Rolling quality looks back over about 200 frames. */
    private static final double QUALITY_RATE = 0.005;

    /** Intervals that are scored, each between two of the quantiles: of 99, 90, 80 and 50 %, from the outside in. */
    private static final int INTERVALS = 4;

    private static final double SUM_RATE = 0.005;
    /** The mean factor is held near 1 by so many frames. */
    private static final double PRIOR_FRAMES = 20;
    /** A frame counts at most this many times its prediction in the mean factor: longer ones are compile stalls. */
    private static final double LARGEST_RATIO = 10;

    /*
     * A record that was restored counts for less until its engine is seen to be the one it was: after so many more
     * frames whose times agree with the prediction than do not. An engine that has become another one is never
     * confirmed; it is found out by the detectors and learned anew.
     */
    static final int CONFIRMING_FRAMES = 30;
    private static final double AGREES = 0.25;

    private final LogQuantiles quantiles;
    private long frames;
    private int unconfirmed;
    private long scored;
    private double typicalSeconds;
    private double mape;
    private double bias;
    private final double[] coverage = new double[INTERVALS];
    private double measuredSum;
    private double predictedSum;

    RegimeRecord() {
        this(new LogQuantiles());
    }

    private RegimeRecord(LogQuantiles quantiles) {
        this.quantiles = quantiles;
    }

    RegimeRecord copy() {
        RegimeRecord copy = new RegimeRecord(quantiles.copy());
        copy.frames = frames;
        copy.unconfirmed = unconfirmed;
        copy.scored = scored;
        copy.typicalSeconds = typicalSeconds;
        copy.mape = mape;
        copy.bias = bias;
        System.arraycopy(coverage, 0, copy.coverage, 0, INTERVALS);
        copy.measuredSum = measuredSum;
        copy.predictedSum = predictedSum;
        return copy;
    }

    long frames() {
        return frames;
    }

    double typicalSeconds() {
        return typicalSeconds;
    }

    LogQuantiles quantiles() {
        return quantiles;
    }

    /** What sums of predictions must be multiplied by to match sums of wall times. */
    double meanFactor() {
        double prior = PRIOR_FRAMES * typicalSeconds;
        return predictedSum <= 0 ? 1 : (measuredSum + prior) / (predictedSum + prior);
    }

    void learn(double wallTimeSeconds) {
        frames++;
        double capped = frames == 1 ? wallTimeSeconds : Finite.min(wallTimeSeconds, 4 * typicalSeconds);
        typicalSeconds += Finite.max(RATE, 1.0 / frames) * (capped - typicalSeconds);
    }

    void score(double predictedSeconds, double wallTimeSeconds, double logRatio) {
        scored++;
        if (unconfirmed > 0) {
            unconfirmed = Math.min(CONFIRMING_FRAMES, unconfirmed + (Math.abs(logRatio) <= AGREES ? -1 : 1));
        }
        double error = Math.abs(Math.exp(quantiles.lean() - logRatio) - 1);
        double rate = Finite.max(QUALITY_RATE, 1.0 / scored);
        mape += rate * (error - mape);
        bias += rate * (logRatio - bias);
        for (int i = 0; i < INTERVALS; i++) {
            int outside = LogQuantiles.isBelow(logRatio, quantiles.value(i))
                    | LogQuantiles.isBelow(quantiles.value(LogQuantiles.COUNT - 1 - i), logRatio);
            coverage[i] += rate * (1 - outside - coverage[i]);
        }
        measuredSum += Finite.min(wallTimeSeconds, LARGEST_RATIO * predictedSeconds) - SUM_RATE * measuredSum;
        predictedSum += predictedSeconds - SUM_RATE * predictedSum;
    }

    /** Allocates. */
    LearnedStepTimes.RegimeSums sums(StepRegime regime, List<Double> blendLosses) {
        return new LearnedStepTimes.RegimeSums(
                regime, frames, typicalSeconds, measuredSum, predictedSum, quantiles.values(), blendLosses);
    }

    void load(LearnedStepTimes.RegimeSums sums) {
        frames = sums.frames();
        typicalSeconds = sums.typicalSeconds();
        measuredSum = sums.measuredSeconds();
        predictedSum = sums.predictedSeconds();
        quantiles.load(sums.logErrors());
    }

    /** After the engine has become {@code ratio} times as slow: the past counts as one frame. */
    void restate(double ratio) {
        typicalSeconds *= ratio;
        frames = Math.min(frames, 1);
        unconfirmed = 0;
        measuredSum = predictedSum = 0;
    }

    /** The rolling quality of predictions goes on from that of another record. */
    void takeQuality(RegimeRecord other) {
        scored = other.scored;
        mape = other.mape;
        bias = other.bias;
        System.arraycopy(other.coverage, 0, coverage, 0, INTERVALS);
    }

    /** From here on what was loaded must be confirmed. */
    void doubt() {
        unconfirmed = frames > 0 ? CONFIRMING_FRAMES : 0;
    }

    /** Frames that must still agree before what was restored counts as known. */
    int unconfirmed() {
        return unconfirmed;
    }

    Evidence evidence(long framesNeeded) {
        return frames == 0
                ? Evidence.COLD
                : frames < framesNeeded || unconfirmed > 0 ? Evidence.WARMING : Evidence.READY;
    }

    RegimeReadiness readiness(StepRegime regime, Evidence evidence, long framesNeeded) {
        return new RegimeReadiness(
                regime,
                evidence,
                frames,
                framesNeeded,
                known(mape),
                known(bias),
                known(coverage[3]),
                known(coverage[2]),
                known(coverage[1]),
                known(coverage[0]));
    }

    private OptionalDouble known(double value) {
        return scored == 0 ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
