/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.NonNegativeLeastSquares.Solution;
import io.fpmplanner.service.backtest.SampleGrid.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The fit that Dynamo's Rust performance model had for prefills before it looked at attention: two lines in the tokens that
 * meet at a knee, steeper beyond it, fitted with weights so that short prefills count.
 *
 * <p>Written from the public description, which tells neither the weights nor the knees that are tried: here errors are
 * relative, and there are up to {@value #KNEES} knees at quantiles of the samples.
 */
final class HingeLeastSquares implements Regression.Method {
    static final HingeLeastSquares INSTANCE = new HingeLeastSquares();
    private static final int KNEES = 15;

    private HingeLeastSquares() {}

    /** Seconds that grow by one slope up to a knee and by a larger one from there. */
    private record Hinge(LinearFit lines, double knee) implements Fit {
        @Override
        public double at(double tokens, double unused) {
            return lines.at(tokens, Math.max(0, tokens - knee));
        }
    }

    @Override
    public Optional<? extends Fit> fit(List<Sample> samples) {
        double[] tokens = samples.stream().mapToDouble(Sample::first).sorted().toArray();
        return IntStream.rangeClosed(1, KNEES)
                .mapToDouble(i -> tokens[i * tokens.length / (KNEES + 1)])
                .distinct()
                .boxed()
                .flatMap(knee -> at(knee, samples).stream())
                .max(Comparator.comparingDouble(Candidate::gain))
                .map(Candidate::hinge);
    }

    private record Candidate(Hinge hinge, double gain) {}

    private static Optional<Candidate> at(double knee, List<Sample> samples) {
        List<Sample> bent = samples.stream()
                .map(sample -> new Sample(sample.first(), Math.max(0, sample.first() - knee), sample.seconds()))
                .toList();
        Optional<Solution> best =
                NonNegativeLeastSquares.best(Moments.of(bent, sample -> 1 / (sample.seconds() * sample.seconds())));
        return best.map(solution -> new Candidate(new Hinge(solution.fit(), knee), solution.gain()));
    }

    @Override
    public boolean keepsTheLast() {
        return true;
    }

    @Override
    public double floorSeconds() {
        return NonNegativeLeastSquares.INSTANCE.floorSeconds();
    }
}
