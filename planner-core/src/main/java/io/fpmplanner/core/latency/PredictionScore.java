/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * How predictions of one latency have turned out lately, over about the last {@value #MEMORY} of them.
 *
 * @param count predictions scored since the start
 * @param bias mean of log(seen / predicted median): above 0 predictions are too low
 * @param error mean of |seen / predicted median - 1|, a fraction
 * @param within50 share within the predicted median; 0.5 is right
 * @param within90 share within the predicted 90th percentile; 0.9 is right
 * @param within99 share within the predicted 99th percentile; 0.99 is right
 */
public record PredictionScore(
        long count, double bias, double error, double within50, double within90, double within99) {
    /** About so many of the newest count. */
    public static final int MEMORY = 400;

    static final PredictionScore NONE = new PredictionScore(0, 0, 0, 0, 0, 0);

    /** The score after one more, which was predicted so and weighs as many. */
    PredictionScore with(LatencySpread predicted, double seenSeconds, double weight) {
        if (!(predicted.p50Seconds() > 0) || !(seenSeconds > 0)) {
            return this;
        }
        double rate = Math.min(1, Math.max(weight / (count + weight), weight / MEMORY));
        double ratio = seenSeconds / predicted.p50Seconds();
        return new PredictionScore(
                count + 1,
                bias + rate * (Math.log(ratio) - bias),
                error + rate * (Math.abs(ratio - 1) - error),
                within50 + rate * ((seenSeconds <= predicted.p50Seconds() ? 1 : 0) - within50),
                within90 + rate * ((seenSeconds <= predicted.p90Seconds() ? 1 : 0) - within90),
                within99 + rate * ((seenSeconds <= predicted.p99Seconds() ? 1 : 0) - within99));
    }
}
