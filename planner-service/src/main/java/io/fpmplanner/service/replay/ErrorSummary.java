/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Collects the errors of many predictions. Not threadsafe. */
public final class ErrorSummary {
    /** Steps that a learner may learn from before it is judged. */
    public static final int SCORED_FROM = 200;

    private double[] errors = new double[1024];
    private int count;
    private int intervals;
    private int inside90;

    /** Takes in one absolute relative error, a fraction, of a prediction without interval. */
    public void add(double error) {
        if (count == errors.length) {
            errors = Arrays.copyOf(errors, 2 * count);
        }
        errors[count++] = error;
    }

    /** Takes in one absolute relative error, a fraction, and whether the 90 % interval held the measured time. */
    public void add(double error, boolean insideInterval) {
        add(error);
        intervals++;
        inside90 += insideInterval ? 1 : 0;
    }

    /** The figures of what was added. */
    public Score score(long frames) {
        double[] sorted = Arrays.copyOf(errors, count);
        Arrays.sort(sorted);
        return new Score(
                frames,
                Arrays.stream(sorted).average(),
                quantile(sorted, 0.5),
                quantile(sorted, 0.9),
                quantile(sorted, 0.99),
                intervals == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) inside90 / intervals));
    }

    /** Interpolates between the two nearest ranks. */
    private static OptionalDouble quantile(double[] sorted, double share) {
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        double rank = share * (sorted.length - 1);
        int below = (int) rank;
        int above = Math.min(below + 1, sorted.length - 1);
        return OptionalDouble.of(sorted[below] + (rank - below) * (sorted[above] - sorted[below]));
    }

    /**
     * How well a set of steps was predicted one step ahead; the figures are empty if none was scored.
     *
     * @param frames steps of the set, scored or not
     * @param mape mean absolute relative error, a fraction
     * @param p50 its median
     * @param p90 its 90th percentile
     * @param p99 its 99th percentile
     * @param coverage90 share of wall times inside the 90 % interval; empty too if there were no intervals
     */
    public record Score(
            long frames,
            OptionalDouble mape,
            OptionalDouble p50,
            OptionalDouble p90,
            OptionalDouble p99,
            OptionalDouble coverage90) {}
}
