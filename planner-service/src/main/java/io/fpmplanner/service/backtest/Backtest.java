/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.backtest.LearnerResult.Experiments;
import io.fpmplanner.service.backtest.LearnerResult.Noise;
import io.fpmplanner.service.backtest.LearnerResult.SlowerClock;
import io.fpmplanner.service.backtest.LearnerResult.Switch;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/** Lets every contender go through a recording as it is, and through what it would be if something changed. */
final class Backtest {
    /** By how much a clock that is 20 % slower stretches the times. */
    private static final double CLOCK_FACTOR = 1.25;

    private static final int TIMED_PASSES = 3;
    private static final int MOST_TIMED_STEPS = 20_000;
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final LongSupplier nanoTime;
    private final boolean withNoise;
    /** Predictions nobody looks at might be left out by the compiler. */
    private double unused;

    /** {@code nanoTime} measures what a step costs; it has no part in the result otherwise. */
    Backtest(LongSupplier nanoTime, boolean withNoise) {
        this.nanoTime = nanoTime;
        this.withNoise = withNoise;
    }

    /** Compares all contenders on a recording, after which another one may follow. */
    RecordingResult compare(StepSeries series, Optional<StepSeries> next) {
        return new RecordingResult(
                series.file(),
                series.size(),
                Arrays.stream(Contender.values())
                        .map(contender -> result(contender, series, next))
                        .toList());
    }

    private LearnerResult result(Contender contender, StepSeries series, Optional<StepSeries> next) {
        StepLearner learner = contender.create();
        Predictions asRecorded = Predictions.of(learner, series);
        Figures figures = Figures.of(asRecorded);
        Optional<Switch> switched = next.filter(Backtest::isLongEnough)
                .map(other -> new Switch(other.file(), Recovery.after(0, Predictions.of(learner, other))));
        return new LearnerResult(
                contender,
                asRecorded,
                figures,
                microsPerFrame(contender, series),
                new Experiments(
                        isLongEnough(series) ? Optional.of(Recovery.after(0, asRecorded)) : Optional.empty(),
                        slowerClock(contender, series),
                        switched,
                        noise(contender, series, figures)));
    }

    private static Optional<SlowerClock> slowerClock(Contender contender, StepSeries series) {
        int change = series.size() / 2;
        if (series.size() - change < Recovery.WINDOW) {
            return Optional.empty();
        }
        Predictions predictions = Predictions.of(contender.create(), series.slowedFrom(change, CLOCK_FACTOR));
        return Optional.of(new SlowerClock(predictions, Recovery.after(change, predictions)));
    }

    private static boolean isLongEnough(StepSeries series) {
        return series.size() >= Recovery.WINDOW;
    }

    private Optional<Noise> noise(Contender contender, StepSeries series, Figures clean) {
        if (!withNoise || clean.total().mape().isEmpty()) {
            return Optional.empty();
        }
        Predictions noisy = Predictions.of(contender.create(), series.withNoise(), series);
        double mape = Figures.of(noisy).total().mape().getAsDouble();
        return Optional.of(new Noise(mape, mape - clean.total().mape().getAsDouble()));
    }

    /** In passes of its own over the first steps, so that scoring is not counted as cost; the fastest counts, as in a replay. */
    private OptionalDouble microsPerFrame(Contender contender, StepSeries series) {
        if (series.size() == 0) {
            return OptionalDouble.empty();
        }
        int steps = Math.min(series.size(), MOST_TIMED_STEPS);
        double fastest = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < TIMED_PASSES; pass++) {
            fastest = Math.min(fastest, nanos(contender.create(), series, steps));
        }
        return OptionalDouble.of(fastest / NANOS_PER_MICROSECOND / steps);
    }

    private double nanos(StepLearner learner, StepSeries series, int steps) {
        long start = nanoTime.getAsLong();
        for (int t = 0; t < steps; t++) {
            unused += learner.predictSeconds(series.step(t)).orElse(0);
            learner.observe(series.step(t), series.seconds(t));
        }
        return nanoTime.getAsLong() - start;
    }
}
