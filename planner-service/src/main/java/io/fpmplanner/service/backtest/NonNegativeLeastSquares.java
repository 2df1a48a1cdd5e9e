/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The regression of Dynamo's performance model from version 1.3 on, for one kind of iteration: least squares with
 * non-negative slopes and a free intercept over the samples of a {@link SampleGrid} on logarithmic axes, refitted when
 * asked. There is no answer below {@value #FEWEST} samples; a fit whose slopes are all 0 does not replace the one before;
 * answers are at least {@value #FLOOR_SECONDS} s.
 *
 * <p>Written from the public description of the algorithm.
 */
final class NonNegativeLeastSquares {
    /*
     * With two axes there are four faces of the feasible cone: both slopes free, one of them 0, the other 0, both 0. The
     * best feasible one is the answer. Axes are standardised first, so that one threshold tells what varies.
     */
    static final int FEWEST = 5;
    static final double FLOOR_SECONDS = 1e-9;
    private static final double SMALLEST_SPREAD = 1e-12;
    private static final double SMALLEST_PIVOT = 1e-12;
    private static final double RIDGE = 1e-9;

    private final SampleGrid grid = SampleGrid.ofTwoAxes(Math::log1p);
    private boolean stale = true;
    private @Nullable LinearFit fit;

    void add(double first, double second, double seconds) {
        grid.add(new Sample(first, second, seconds));
        stale = true;
    }

    OptionalDouble seconds(double first, double second) {
        if (stale) {
            stale = false;
            if (grid.samples().size() >= FEWEST) {
                fit(grid.samples()).ifPresent(better -> fit = better);
            }
        }
        return fit == null ? OptionalDouble.empty() : OptionalDouble.of(Math.max(FLOOR_SECONDS, fit.at(first, second)));
    }

    /** The best fit with slopes of at least 0; empty if that has no slope at all. */
    static Optional<LinearFit> fit(List<Sample> samples) {
        Moments moments = Moments.of(samples);
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
        return bestGain > 0 ? Optional.of(moments.unscaled(first, second)) : Optional.empty();
    }

    /** Moments of standardised loads; an axis that does not vary has scale 0 and no covariance with anything. */
    private record Moments(Axis first, Axis second, double correlation, double meanSeconds) {
        /** Mean and spread of an axis, 0 if it does not vary, and its covariance with the time. */
        private record Axis(double mean, double spread, double covariance) {
            double slope(double standardised) {
                return spread > 0 ? standardised / spread : 0;
            }

            double variance() {
                return spread > 0 ? 1 : 0;
            }
        }

        static Moments of(List<Sample> samples) {
            int n = samples.size();
            double meanFirst = 0;
            double meanSecond = 0;
            double meanSeconds = 0;
            for (Sample sample : samples) {
                meanFirst += sample.first() / n;
                meanSecond += sample.second() / n;
                meanSeconds += sample.seconds() / n;
            }
            double[] sums = new double[5];
            for (Sample sample : samples) {
                double first = sample.first() - meanFirst;
                double second = sample.second() - meanSecond;
                double seconds = sample.seconds() - meanSeconds;
                sums[0] += first * first / n;
                sums[1] += second * second / n;
                sums[2] += first * second / n;
                sums[3] += first * seconds / n;
                sums[4] += second * seconds / n;
            }
            Axis first = axis(meanFirst, sums[0], sums[3]);
            Axis second = axis(meanSecond, sums[1], sums[4]);
            double correlation = first.spread > 0 && second.spread > 0 ? sums[2] / (first.spread * second.spread) : 0;
            return new Moments(first, second, correlation, meanSeconds);
        }

        private static Axis axis(double mean, double variance, double covariance) {
            double spread = Math.sqrt(variance);
            return spread > SMALLEST_SPREAD * Math.max(1, Math.abs(mean))
                    ? new Axis(mean, spread, covariance / spread)
                    : new Axis(mean, 0, 0);
        }

        /** The unconstrained minimum on each face that has a slope, in standardised units. */
        double[][] faces() {
            return new double[][] {both(), {first.covariance, 0}, {0, second.covariance}};
        }

        private double[] both() {
            double determinant = first.variance() * second.variance() - correlation * correlation;
            double diagonal = 1;
            if (determinant < SMALLEST_PIVOT) {
                diagonal += RIDGE * Math.max(1, first.variance() + second.variance());
                determinant = diagonal * diagonal - correlation * correlation;
            }
            return new double[] {
                (diagonal * first.covariance - correlation * second.covariance) / determinant,
                (diagonal * second.covariance - correlation * first.covariance) / determinant
            };
        }

        /** By how much the mean squared error falls below that of a constant. */
        double gain(double a, double b) {
            return 2 * (a * first.covariance + b * second.covariance)
                    - (a * a * first.variance() + b * b * second.variance() + 2 * a * b * correlation);
        }

        LinearFit unscaled(double a, double b) {
            double slopeFirst = first.slope(a);
            double slopeSecond = second.slope(b);
            return new LinearFit(
                    meanSeconds - slopeFirst * first.mean - slopeSecond * second.mean, slopeFirst, slopeSecond);
        }
    }
}
