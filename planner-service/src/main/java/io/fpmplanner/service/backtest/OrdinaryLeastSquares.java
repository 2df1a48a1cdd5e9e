/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * The fit of Dynamo's Python planner up to version 1.2: ordinary least squares with a free intercept. A negative slope
 * makes it useless, so that there is no answer at all.
 *
 * <p>Written from the public description of the algorithm.
 */
final class OrdinaryLeastSquares implements Regression.Method {
    /** Any negative slope makes the fit useless. */
    static final OrdinaryLeastSquares STRICT = new OrdinaryLeastSquares(false);
    /** A negative slope of the first axis becomes 0. */
    static final OrdinaryLeastSquares CLAMPING_FIRST = new OrdinaryLeastSquares(true);

    private final boolean clampsFirst;

    private OrdinaryLeastSquares(boolean clampsFirst) {
        this.clampsFirst = clampsFirst;
    }

    @Override
    public Optional<LinearFit> fit(List<Sample> samples) {
        LinearFit free = free(samples);
        double first = clampsFirst ? Math.max(0, free.first()) : free.first();
        return first < 0 || free.second() < 0
                ? Optional.empty()
                : Optional.of(new LinearFit(free.intercept(), first, free.second()));
    }

    @Override
    public boolean keepsTheLast() {
        return false;
    }

    @Override
    public double floorSeconds() {
        return 1e-6;
    }

    /** The fit of least squares and, where an axis never varied, of least slopes, as with a pseudo-inverse. */
    static LinearFit free(List<Sample> samples) {
        double meanFirst = 0;
        double meanSecond = 0;
        double meanSeconds = 0;
        for (Sample sample : samples) {
            meanFirst += sample.first() / samples.size();
            meanSecond += sample.second() / samples.size();
            meanSeconds += sample.seconds() / samples.size();
        }
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
}
