/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/** Refuses what no model can have learned; each message is a sentence for the user. */
final class LearnedChecks {
    /*
     * Sums of squares are positive semi-definite but for rounding. Columns are scaled to a unit diagonal first, since
     * rare ones have diagonals 1e-12 times those of common ones.
     */
    private static final double ROUNDING = 1e-8;

    private LearnedChecks() {}

    static void form(int version, List<String> features, List<Double> scales) {
        require(
                version == LearnedStepTimes.VERSION,
                "version must be " + LearnedStepTimes.VERSION + ", was " + version);
        List<String> known = Feature.ALL.stream().map(Feature::label).toList();
        for (String feature : features) {
            require(known.contains(feature), "features has '" + feature + "', which this version does not know");
        }
        require(features.equals(known), "features must be " + known + " in this order, was " + features);
        List<Double> expected = Feature.ALL.stream().map(Feature::scale).toList();
        require(scales.equals(expected), "featureScales must be " + expected + ", was " + scales);
    }

    static void squares(LearnedStepTimes.SquareSums sums) {
        int columns = Feature.COUNT;
        size("squares.information", sums.information(), columns * (columns + 1) / 2);
        size("squares.vector", sums.vector(), columns);
        finite("squares.information", sums.information());
        finite("squares.vector", sums.vector());
        atLeastZero("squares.frames", sums.frames());
        atLeastZero("squares.weight", sums.weight());
        atLeastZero("squares.targetEnergy", sums.targetEnergy());
        double smallest = smallestEigenvalue(sums);
        require(
                smallest >= -ROUNDING * columns,
                "squares must be positive semi-definite, as sums of squares are; scaled to a unit diagonal its smallest"
                        + " eigenvalue is " + smallest);
    }

    /** Of the matrix of products of columns and wall time, scaled to a unit diagonal. */
    private static double smallestEigenvalue(LearnedStepTimes.SquareSums sums) {
        int columns = Feature.COUNT;
        RealMatrix matrix = new Array2DRowRealMatrix(columns + 1, columns + 1);
        int packed = 0;
        for (int i = 0; i < columns; i++) {
            for (int j = i; j < columns; j++) {
                double value = sums.information().get(packed++);
                matrix.setEntry(i, j, value);
                matrix.setEntry(j, i, value);
            }
            matrix.setEntry(i, columns, sums.vector().get(i));
            matrix.setEntry(columns, i, sums.vector().get(i));
        }
        matrix.setEntry(columns, columns, sums.targetEnergy());
        double[] diagonal = IntStream.rangeClosed(0, columns)
                .mapToDouble(i -> matrix.getEntry(i, i))
                .toArray();
        for (int i = 0; i <= columns; i++) {
            require(
                    diagonal[i] >= 0,
                    "squares must be positive semi-definite, diagonal entry " + i + " was " + diagonal[i]);
            for (int j = 0; j <= columns; j++) {
                double size = Math.sqrt(diagonal[i]) * Math.sqrt(diagonal[j]);
                double value = matrix.getEntry(i, j);
                require(
                        size > 0 || value == 0,
                        "squares must be positive semi-definite, but has an entry beside a diagonal of 0");
                matrix.setEntry(i, j, size > 0 ? value / size : 0);
            }
        }
        return DoubleStream.of(new EigenDecomposition(matrix).getRealEigenvalues())
                .min()
                .orElse(0);
    }

    static void regimes(List<LearnedStepTimes.RegimeSums> regimes) {
        List<StepRegime> order =
                regimes.stream().map(LearnedStepTimes.RegimeSums::regime).toList();
        require(order.equals(List.of(StepRegime.values())), "regimes must be PREFILL, DECODE, MIXED, was " + order);
        for (LearnedStepTimes.RegimeSums regime : regimes) {
            String path = "regimes." + regime.regime();
            atLeastZero(path + ".frames", (double) regime.frames());
            atLeastZero(path + ".typicalSeconds", regime.typicalSeconds());
            atLeastZero(path + ".measuredSeconds", regime.measuredSeconds());
            atLeastZero(path + ".predictedSeconds", regime.predictedSeconds());
            size(path + ".logErrors", regime.logErrors(), LogQuantiles.COUNT);
            finite(path + ".logErrors", regime.logErrors());
            List<Double> sorted = regime.logErrors().stream().sorted().toList();
            require(sorted.equals(regime.logErrors()), path + ".logErrors must ascend, was " + regime.logErrors());
            size(path + ".blendLosses", regime.blendLosses(), 3);
            regime.blendLosses().forEach(loss -> atLeastZero(path + ".blendLosses", loss));
        }
    }

    static void buckets(String field, IntStream buckets, int count) {
        int previous = -1;
        for (int bucket : buckets.toArray()) {
            require(
                    bucket > previous && bucket < count,
                    field + " must ascend by bucket below " + count + ", has " + bucket + " after " + previous);
            previous = bucket;
        }
    }

    /* These are asked about each correction of each model once a tick, so their sentences are only put together when needed. */

    static void positive(String field, double value) {
        if (!(value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(field + " must be a positive number, was " + value);
        }
    }

    static void atLeastZero(String field, double value) {
        if (!(value >= 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException(field + " must be a number of at least 0, was " + value);
        }
    }

    static void finite(String field, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(field + " must be a finite number, was " + value);
        }
    }

    private static void finite(String field, List<Double> values) {
        values.forEach(value -> finite(field, value));
    }

    private static void size(String field, List<Double> values, int size) {
        require(values.size() == size, field + " must have " + size + " entries, has " + values.size());
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
