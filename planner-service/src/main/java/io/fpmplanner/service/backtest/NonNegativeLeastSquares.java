/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Optional;

/**
 * The fit of Dynamo's Rust performance model (from version 1.3 on): least squares with non-negative slopes and a free
 * intercept. If both slopes are 0 it is useless, and the one before stays in force.
 *
 * <p>Written from the public description of the algorithm.
 */
final class NonNegativeLeastSquares implements Regression.Method {
    static final NonNegativeLeastSquares INSTANCE = new NonNegativeLeastSquares();

    private NonNegativeLeastSquares() {}

    /** A regression on two axes, its samples spread over logarithmic cells. */
    static Regression regression() {
        return new Regression(SampleGrid.ofTwoAxes(Math::log1p), INSTANCE);
    }

    @Override
    public Optional<LinearFit> fit(List<Sample> samples) {
        return best(Moments.of(samples, sample -> 1)).map(Solution::fit);
    }

    @Override
    public boolean keepsTheLast() {
        return true;
    }

    @Override
    public double floorSeconds() {
        return 1e-9;
    }

    /**
     * A fit with its worth.
     *
     * @param gain by how much its mean squared error is below that of a constant, &gt; 0
     */
    record Solution(LinearFit fit, double gain) {}

    /*
     * With two axes there are four faces of the feasible cone: both slopes free, one of them 0, the other 0, both 0. The
     * best feasible one is the answer.
     */
    static Optional<Solution> best(Moments moments) {
        double bestGain = 0;
        double first = 0;
        double second = 0;
        for (double[] slopes : moments.faces()) {
            double gain = moments.gain(slopes[0], slopes[1]);
            if (slopes[0] >= 0 && slopes[1] >= 0 && gain > bestGain) {
                bestGain = gain;
                first = slopes[0];
                second = slopes[1];
            }
        }
        return bestGain > 0 ? Optional.of(new Solution(moments.unscaled(first, second), bestGain)) : Optional.empty();
    }
}
