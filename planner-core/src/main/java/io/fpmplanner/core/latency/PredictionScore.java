/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * How predictions of one latency have turned out lately: averages in which about the last {@value #MEMORY} count.
 *
 * @param count predictions scored since the start
 * @param seenSeconds mean of what was seen
 * @param predictedSeconds mean of what was predicted to be seen on average
 * @param missSeconds mean distance of what was seen from the prediction
 * @param within50 share within the predicted median; 0.5 is right; NaN where no percentiles are predicted
 * @param within90 share within the predicted 90th percentile; 0.9 is right; NaN likewise
 * @param within99 share within the predicted 99th percentile; 0.99 is right; NaN likewise
 */
public record PredictionScore(
        long count,
        double seenSeconds,
        double predictedSeconds,
        double missSeconds,
        double within50,
        double within90,
        double within99) {
    /** About so many of the newest count. */
    public static final int MEMORY = 400;

    static final PredictionScore NONE = new PredictionScore(0, 0, 0, 0, Double.NaN, Double.NaN, Double.NaN);

    /** log(seen / predicted) of the means: above 0 predictions are too low. NaN while either is 0. */
    public double bias() {
        return seenSeconds > 0 && predictedSeconds > 0 ? Math.log(seenSeconds / predictedSeconds) : Double.NaN;
    }

    /**
     * Mean distance of what was seen from the prediction, as a fraction of the mean prediction. Requests differ, so it does not
     * go to 0 where the prediction is the mean of many. NaN while nothing was predicted but 0.
     */
    public double error() {
        return predictedSeconds > 0 ? missSeconds / predictedSeconds : Double.NaN;
    }

    /** The score after one more, which was predicted to be so on average. */
    PredictionScore with(double predictedMeanSeconds, double seen) {
        if (!(predictedMeanSeconds >= 0) || !(seen >= 0)) {
            return this;
        }
        double rate = rate();
        return new PredictionScore(
                count + 1,
                seenSeconds + rate * (seen - seenSeconds),
                predictedSeconds + rate * (predictedMeanSeconds - predictedSeconds),
                missSeconds + rate * (Math.abs(seen - predictedMeanSeconds) - missSeconds),
                within50,
                within90,
                within99);
    }

    /** The score after one more, of which that distribution was predicted. */
    PredictionScore with(LatencySpread predicted, double seen) {
        return withShares(
                predicted.meanSeconds(),
                seen,
                seen <= predicted.p50Seconds() ? 1 : 0,
                seen <= predicted.p90Seconds() ? 1 : 0,
                seen <= predicted.p99Seconds() ? 1 : 0);
    }

    /** The score after many alike, of which those shares lay within the predicted percentiles. */
    PredictionScore withShares(double predictedMeanSeconds, double seen, double in50, double in90, double in99) {
        double rate = rate();
        PredictionScore next = with(predictedMeanSeconds, seen);
        return new PredictionScore(
                next.count,
                next.seenSeconds,
                next.predictedSeconds,
                next.missSeconds,
                mix(within50, in50, rate),
                mix(within90, in90, rate),
                mix(within99, in99, rate));
    }

    private double rate() {
        return 1.0 / Math.min(MEMORY, count + 1);
    }

    private static double mix(double before, double now, double rate) {
        return Double.isNaN(before) ? now : before + rate * (now - before);
    }
}
