/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Step time as Dynamo's Python planner learns it: ordinary least squares on a few samples. Not threadsafe. */
final class DynamoStepRegression {
    /*
     * Public description: intercept free; at most 64 samples in 16 equal-width cells (4 x 4 with two features) between the
     * least and the greatest value seen, evicting the oldest of the fullest cell; an estimate from 5 samples on; a negative
     * slope rejects the fit, but the slope of the number of decode requests is held at 0; floor 1e-6 s.
     */
    private static final int CAPACITY = 64;
    private static final int CELLS = 16;
    private static final int FEWEST = 5;
    private static final double FLOOR_SECONDS = 1e-6;

    private final boolean clampFirst;
    private final int features;
    private final Deque<double[]> samples = new ArrayDeque<>();

    /**
     * @param features 1 or 2
     * @param clampFirst whether a negative slope of the first feature is held at 0 and does not reject the fit
     */
    DynamoStepRegression(int features, boolean clampFirst) {
        this.features = features;
        this.clampFirst = clampFirst;
    }

    /** Takes a step in; the second feature is ignored if there is only one. */
    void observe(double first, double second, double seconds) {
        samples.addLast(new double[] {first, features == 1 ? 0 : second, seconds});
        if (samples.size() > CAPACITY) {
            evict();
        }
    }

    /** A fit of what was taken in, if there can be one. */
    Optional<Fit> fit() {
        if (samples.size() < FEWEST) {
            return Optional.empty();
        }
        Fit both = features == 1 ? one(0) : two();
        if (clampFirst && both.first < 0) {
            both = one(1);
        }
        return both.first < 0 || both.second < 0 ? Optional.empty() : Optional.of(both);
    }

    /** A plane. Immutable. */
    record Fit(double intercept, double first, double second) {
        double seconds(double x, double y) {
            return Math.max(FLOOR_SECONDS, intercept + first * x + second * y);
        }
    }

    private void evict() {
        List<List<double[]>> cells = new ArrayList<>();
        for (int i = 0; i < CELLS; i++) {
            cells.add(new ArrayList<>());
        }
        int side = features == 1 ? CELLS : 4;
        double[] low = {min(0), min(1)};
        double[] high = {max(0), max(1)};
        for (double[] sample : samples) {
            int cell = cell(sample[0], low[0], high[0], side);
            if (features == 2) {
                cell = cell * side + cell(sample[1], low[1], high[1], side);
            }
            cells.get(cell).add(sample);
        }
        List<double[]> fullest =
                cells.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
        samples.removeFirstOccurrence(fullest.get(0));
    }

    private static int cell(double value, double low, double high, int side) {
        return high > low ? Math.min(side - 1, (int) ((value - low) / (high - low) * side)) : 0;
    }

    private double min(int feature) {
        return samples.stream().mapToDouble(sample -> sample[feature]).min().orElse(0);
    }

    private double max(int feature) {
        return samples.stream().mapToDouble(sample -> sample[feature]).max().orElse(0);
    }

    private double mean(int feature) {
        return samples.stream().mapToDouble(sample -> sample[feature]).average().orElse(0);
    }

    private double moment(int one, int other) {
        double meanOne = mean(one);
        double meanOther = mean(other);
        return samples.stream()
                .mapToDouble(sample -> (sample[one] - meanOne) * (sample[other] - meanOther))
                .sum();
    }

    private Fit one(int feature) {
        double spread = moment(feature, feature);
        double slope = spread > 0 ? moment(feature, 2) / spread : 0;
        double intercept = mean(2) - slope * mean(feature);
        return feature == 0 ? new Fit(intercept, slope, 0) : new Fit(intercept, 0, slope);
    }

    private Fit two() {
        double xx = moment(0, 0);
        double yy = moment(1, 1);
        double xy = moment(0, 1);
        double determinant = xx * yy - xy * xy;
        if (determinant <= 1e-12 * xx * yy) {
            return one(yy > 0 ? 1 : 0);
        }
        double first = (moment(0, 2) * yy - moment(1, 2) * xy) / determinant;
        double second = (moment(1, 2) * xx - moment(0, 2) * xy) / determinant;
        return new Fit(mean(2) - first * mean(0) - second * mean(1), first, second);
    }
}
