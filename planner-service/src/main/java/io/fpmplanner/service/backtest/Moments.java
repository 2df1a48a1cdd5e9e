/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Weighted moments of samples, their loads standardised so that one threshold tells what varies.
 *
 * @param first the first axis
 * @param second the second axis
 * @param correlation of the two, 0 if one does not vary
 * @param meanSeconds mean of the times
 */
record Moments(Axis first, Axis second, double correlation, double meanSeconds) {
    private static final double SMALLEST_SPREAD = 1e-12;
    private static final double SMALLEST_PIVOT = 1e-12;
    private static final double RIDGE = 1e-9;

    /** Mean and spread of a load, and its covariance with the time once standardised; 0 and 0 if it does not vary. */
    record Axis(double mean, double spread, double covariance) {
        private static Axis of(double mean, double variance, double covariance) {
            double spread = Math.sqrt(variance);
            return spread > SMALLEST_SPREAD * Math.max(1, Math.abs(mean))
                    ? new Axis(mean, spread, covariance / spread)
                    : new Axis(mean, 0, 0);
        }

        private double slope(double standardised) {
            return spread > 0 ? standardised / spread : 0;
        }

        private double variance() {
            return spread > 0 ? 1 : 0;
        }
    }

    static Moments of(List<Sample> samples, ToDoubleFunction<Sample> weight) {
        double total = samples.stream().mapToDouble(weight).sum();
        double meanFirst = 0;
        double meanSecond = 0;
        double meanSeconds = 0;
        for (Sample sample : samples) {
            double share = weight.applyAsDouble(sample) / total;
            meanFirst += share * sample.first();
            meanSecond += share * sample.second();
            meanSeconds += share * sample.seconds();
        }
        double[] sums = new double[5];
        for (Sample sample : samples) {
            double share = weight.applyAsDouble(sample) / total;
            double first = sample.first() - meanFirst;
            double second = sample.second() - meanSecond;
            double seconds = sample.seconds() - meanSeconds;
            sums[0] += share * first * first;
            sums[1] += share * second * second;
            sums[2] += share * first * second;
            sums[3] += share * first * seconds;
            sums[4] += share * second * seconds;
        }
        Axis first = Axis.of(meanFirst, sums[0], sums[3]);
        Axis second = Axis.of(meanSecond, sums[1], sums[4]);
        double correlation = first.spread > 0 && second.spread > 0 ? sums[2] / (first.spread * second.spread) : 0;
        return new Moments(first, second, correlation, meanSeconds);
    }

    /** The unconstrained minimum on each face of the cone of slopes that has a slope, in standardised units. */
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

    /** By how much the mean squared error falls below that of a constant with these standardised slopes. */
    double gain(double a, double b) {
        return 2 * (a * first.covariance + b * second.covariance)
                - (a * a * first.variance() + b * b * second.variance() + 2 * a * b * correlation);
    }

    /** The fit of these standardised slopes, in units of the samples. */
    LinearFit unscaled(double a, double b) {
        double slopeFirst = first.slope(a);
        double slopeSecond = second.slope(b);
        return new LinearFit(
                meanSeconds - slopeFirst * first.mean - slopeSecond * second.mean, slopeFirst, slopeSecond);
    }
}
