/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;
import org.jspecify.annotations.Nullable;

/**
 * The linear regression of Dynamo's planner up to version 1.2, for one kind of step: ordinary least squares with a free
 * intercept over the samples of a {@link SampleGrid}, refitted when asked. There is no answer below {@value #FEWEST}
 * samples, nor while a slope is negative; answers are at least {@value #FLOOR_SECONDS} s.
 *
 * <p>Written from the public description of the algorithm.
 */
final class OrdinaryLeastSquares {
    static final int FEWEST = 5;
    static final double FLOOR_SECONDS = 1e-6;

    private final SampleGrid grid;
    private final boolean clampsFirst;
    private boolean stale = true;
    private @Nullable LinearFit fit;

    private OrdinaryLeastSquares(SampleGrid grid, boolean clampsFirst) {
        this.grid = grid;
        this.clampsFirst = clampsFirst;
    }

    /** Any negative slope makes the fit useless. */
    static OrdinaryLeastSquares strict(SampleGrid grid) {
        return new OrdinaryLeastSquares(grid, false);
    }

    /** A negative slope of the first axis becomes 0. */
    static OrdinaryLeastSquares clampingFirst(SampleGrid grid) {
        return new OrdinaryLeastSquares(grid, true);
    }

    void add(double first, double second, double seconds) {
        grid.add(new Sample(first, second, seconds));
        stale = true;
    }

    OptionalDouble seconds(double first, double second) {
        if (stale) {
            stale = false;
            fit = usable();
        }
        return fit == null ? OptionalDouble.empty() : OptionalDouble.of(Math.max(FLOOR_SECONDS, fit.at(first, second)));
    }

    private @Nullable LinearFit usable() {
        if (grid.samples().size() < FEWEST) {
            return null;
        }
        LinearFit free = fit(grid.samples());
        double first = clampsFirst ? Math.max(0, free.first()) : free.first();
        return first < 0 || free.second() < 0 ? null : new LinearFit(free.intercept(), first, free.second());
    }

    /** The fit of least squares and, where an axis never varied, of least slopes, as with a pseudo-inverse. */
    static LinearFit fit(List<Sample> samples) {
        double meanFirst = mean(samples.stream().mapToDouble(Sample::first).toArray());
        double meanSecond = mean(samples.stream().mapToDouble(Sample::second).toArray());
        double meanSeconds = mean(samples.stream().mapToDouble(Sample::seconds).toArray());
        double[][] loads = new double[samples.size()][];
        double[] seconds = new double[samples.size()];
        for (int i = 0; i < loads.length; i++) {
            Sample sample = samples.get(i);
            loads[i] = new double[] {sample.first() - meanFirst, sample.second() - meanSecond};
            seconds[i] = sample.seconds() - meanSeconds;
        }
        RealVector slopes = new SingularValueDecomposition(new Array2DRowRealMatrix(loads, false))
                .getSolver()
                .solve(new ArrayRealVector(seconds, false));
        double first = slopes.getEntry(0);
        double second = slopes.getEntry(1);
        return new LinearFit(meanSeconds - first * meanFirst - second * meanSecond, first, second);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
