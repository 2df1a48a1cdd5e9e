/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.NormalDistribution;

/** The distribution of log(measured / predicted), as a curve through a few quantiles. Not threadsafe. */
final class LogQuantiles {
    /*
     * Between the levels, and beyond the outermost, the curve is linear over the quantiles of the normal distribution,
     * so it is exact for log-normal errors and needs no bins.
     */
    private static final double[] LEVELS = {0.005, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.995};

    private static final int LOWER_QUARTILE = 3;
    private static final int MEDIAN = 4;
    private static final int UPPER_QUARTILE = 5;
    private static final double LARGEST_LEAN = 0.5;
    static final int COUNT = LEVELS.length;

    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final double[] NORMAL_AT_LEVELS =
            Arrays.stream(LEVELS).map(NORMAL::inverseCumulativeProbability).toArray();
    /** Assumed until errors were seen: one in three predictions is off by more than a fifth. */
    private static final double INITIAL_SPREAD = 0.2;

    private final double[] values;
    private double lean;

    LogQuantiles() {
        this(Arrays.stream(NORMAL_AT_LEVELS).map(z -> z * INITIAL_SPREAD).toArray());
    }

    private LogQuantiles(double[] values) {
        this.values = values;
    }

    LogQuantiles copy() {
        LogQuantiles copy = new LogQuantiles(values.clone());
        copy.lean = lean;
        return copy;
    }

    /** Probability of the quantile at {@code index}, ascending. */
    static double level(int index) {
        return LEVELS[index];
    }

    static double normalQuantile(double probability) {
        return NORMAL.inverseCumulativeProbability(probability);
    }

    /**
     * How far below the median (hence &le; 0 as a rule) the best single guess lies: the m that makes {@code E|e^(m - u)
     * - 1|} smallest for u of this distribution, less the median. About minus the variance for log-normal errors.
     */
    double lean() {
        return lean;
    }

    /*
     * That m is the median of the distribution weighted by e^-u (Gneiting 2011, "Making and evaluating point
     * forecasts", theorem 10 with beta = -1). Mass between two levels is taken at their middle. Only the distance from
     * the median is used, because the residual table keeps the median itself at 0 with less noise.
     */
    void refreshLean() {
        double half = 0;
        for (int i = 1; i < COUNT; i++) {
            half += 0.5 * weight(i);
        }
        int i = 1;
        double below = 0;
        while (i < COUNT - 1 && below + weight(i) < half) {
            below += weight(i++);
        }
        double best = values[i - 1] + (half - below) / weight(i) * (values[i] - values[i - 1]);
        lean = clip(best - values[MEDIAN]);
    }

    private double weight(int i) {
        return (LEVELS[i] - LEVELS[i - 1]) * Math.exp(-clip(0.5 * (values[i] + values[i - 1])));
    }

    /** Where half of the time is booked on other steps, errors of e^+-3 say nothing about the best guess. */
    private static double clip(double log) {
        return Finite.clip(log, LARGEST_LEAN);
    }

    /** 1 if the first of two different finite numbers is the lesser one, else 0; without a branch. */
    static int isBelow(double one, double other) {
        return (int) (Double.doubleToRawLongBits(one - other) >>> 63);
    }

    /** Half the interquartile range: the error that one prediction in two exceeds, whatever the outliers do. */
    double spread() {
        return 0.5 * (values[UPPER_QUARTILE] - values[LOWER_QUARTILE]);
    }

    double value(int index) {
        return values[index];
    }

    /** Sets a quantile; call in ascending order, a value below the one before is lifted to it. */
    void set(int index, double value) {
        values[index] = index == 0 ? value : Finite.max(value, values[index - 1]);
    }

    List<Double> values() {
        return Arrays.stream(values).boxed().toList();
    }

    void load(List<Double> ascending) {
        for (int i = 0; i < COUNT; i++) {
            values[i] = ascending.get(i);
        }
        refreshLean();
    }

    /** The quantile whose probability has this {@linkplain #normalQuantile normal quantile}. */
    double at(double normal) {
        int last = COUNT - 1;
        int i = 1;
        while (i < last && NORMAL_AT_LEVELS[i] < normal) {
            i++;
        }
        double low = NORMAL_AT_LEVELS[i - 1];
        double share = (normal - low) / (NORMAL_AT_LEVELS[i] - low);
        return values[i - 1] + share * (values[i] - values[i - 1]);
    }
}
