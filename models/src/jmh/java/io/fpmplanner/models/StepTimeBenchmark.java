/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a frame and a question cost: predict and learn with 16 columns, beside a plain recursive
 * least squares on the same columns in the same run. Nine steps of ten are decode, the rest mixed or prefill; times have
 * 2 % of noise, so coefficients keep moving.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class StepTimeBenchmark {
    private static final int STEPS = 4096;

    private final StepWorkload[] steps = new StepWorkload[STEPS];
    private final double[] seconds = new double[STEPS];
    private final StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
    private final FeatureMap features =
            new FeatureMap(new GraphSizes(StepTimeSettings.defaults().graphBatchSizes()), 512);
    private final double[] x = new double[Feature.COUNT];
    private final PlainLeastSquares plain = new PlainLeastSquares();
    private StepTimePredictor predictor = model.snapshot().predictor();
    private int next;

    @Setup
    public void learn() {
        Random random = new Random(1);
        double batch = 32;
        double context = 1000;
        for (int i = 0; i < STEPS; i++) {
            batch = Math.max(1, Math.min(200, batch + random.nextInt(5) - 2));
            context = Math.max(200, Math.min(4000, context + 20 * random.nextGaussian()));
            StepWorkload step = new StepWorkload().decode(batch, batch * context, 1e4);
            if (random.nextInt(10) == 0) {
                step.prefill(1 + random.nextInt(4), 1 + random.nextInt(4000), random.nextInt(8000), 0);
            }
            steps[i] = step;
            seconds[i] = (0.008 + 5e-5 * step.decodeRequests() + 2e-5 * step.prefillTokens() + 2e-8 * step.decodeKvTokens())
                    * Math.exp(0.02 * random.nextGaussian());
            model.observe(step, seconds[i]);
            features.fill(step, x);
            plain.update(x, seconds[i]);
        }
        predictor = model.snapshot().predictor();
    }

    private int advance() {
        next = (next + 1) & (STEPS - 1);
        return next;
    }

    /** One frame: what it was expected to take, then learned. */
    @Benchmark
    public double predictAndLearn() {
        int i = advance();
        double predicted = model.predictSeconds(steps[i]);
        model.observe(steps[i], seconds[i]);
        return predicted;
    }

    /** The yardstick. */
    @Benchmark
    public double plainPredictAndLearn() {
        int i = advance();
        features.fill(steps[i], x);
        double predicted = plain.predict(x);
        plain.update(x, seconds[i]);
        return predicted;
    }

    /** One step of a TTFT replay or a what-if question. */
    @Benchmark
    public double askForTheMean() {
        return predictor.meanSeconds(steps[advance()]);
    }

    /** Once a tick. */
    @Benchmark
    public StepTimeSnapshot snapshot() {
        return model.snapshot();
    }
}
