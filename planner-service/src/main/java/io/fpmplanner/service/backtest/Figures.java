/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.replay.ErrorSummary;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What one pass over a recording comes to, scored from step {@value ErrorSummary#SCORED_FROM} on.
 *
 * @param total errors over all steps
 * @param coverage share of the wall times inside the intervals of {@link Predictions#LEVELS}; empty without intervals
 * @param answered share of the scored steps for which there was an answer; empty if none was scored
 * @param regimes the same for each regime that occurred
 * @param sums median over windows of {@value #SUM_WINDOW} steps of the absolute relative error of the summed predictions
 * @param overTime mean errors of {@value #PARTS} equal parts of the whole recording, the first steps included
 */
record Figures(
        ErrorSummary.Score total,
        List<Double> coverage,
        OptionalDouble answered,
        Map<StepRegime, OfRegime> regimes,
        OptionalDouble sums,
        List<Double> overTime) {
    static final int SUM_WINDOW = 400;
    static final int PARTS = 20;

    /**
     * What the steps of one regime come to.
     *
     * @param score errors over its scored steps
     * @param scored how many those are
     * @param coverage as in {@link Figures}
     * @param framesToGood how many of its frames had been seen when the mean error of the last {@value
     *     Recovery#WINDOW} was first below 10 %; empty if it never was
     */
    record OfRegime(ErrorSummary.Score score, int scored, List<Double> coverage, OptionalInt framesToGood) {
        OfRegime {
            coverage = List.copyOf(coverage);
        }
    }

    Figures {
        coverage = List.copyOf(coverage);
        regimes = Map.copyOf(regimes);
        overTime = List.copyOf(overTime);
    }

    static Figures of(Predictions predictions) {
        Map<StepRegime, OfRegime> regimes = new EnumMap<>(StepRegime.class);
        for (StepRegime regime : StepRegime.values()) {
            int[] steps = IntStream.range(0, predictions.size())
                    .filter(t -> predictions.regime(t) == regime)
                    .toArray();
            if (steps.length > 0) {
                double[] errors =
                        Arrays.stream(steps).mapToDouble(predictions::error).toArray();
                regimes.put(
                        regime,
                        new OfRegime(
                                score(predictions, steps),
                                scored(steps).length,
                                coverage(predictions, steps),
                                Recovery.framesToGood(errors)));
            }
        }
        int[] all = IntStream.range(0, predictions.size()).toArray();
        return new Figures(
                score(predictions, all),
                coverage(predictions, all),
                share(scored(all), predictions::answered),
                regimes,
                sums(predictions),
                overTime(predictions));
    }

    private static int[] scored(int[] steps) {
        return Arrays.stream(steps).filter(t -> t >= ErrorSummary.SCORED_FROM).toArray();
    }

    private static ErrorSummary.Score score(Predictions predictions, int[] steps) {
        ErrorSummary summary = new ErrorSummary();
        int ninety = Predictions.LEVELS.indexOf(0.9);
        for (int t : scored(steps)) {
            if (predictions.hasInterval(t)) {
                summary.add(predictions.error(t), predictions.inside(t, ninety));
            } else {
                summary.add(predictions.error(t));
            }
        }
        return summary.score(steps.length);
    }

    private static List<Double> coverage(Predictions predictions, int[] steps) {
        int[] judged =
                Arrays.stream(scored(steps)).filter(predictions::hasInterval).toArray();
        return judged.length == 0
                ? List.of()
                : IntStream.range(0, Predictions.LEVELS.size())
                        .mapToObj(level ->
                                share(judged, t -> predictions.inside(t, level)).getAsDouble())
                        .toList();
    }

    private static OptionalDouble share(int[] steps, IntPredicate condition) {
        return Arrays.stream(steps).mapToDouble(t -> condition.test(t) ? 1 : 0).average();
    }

    private static OptionalDouble sums(Predictions predictions) {
        int windows = Math.max(0, predictions.size() - ErrorSummary.SCORED_FROM) / SUM_WINDOW;
        double[] errors = new double[windows];
        for (int window = 0; window < windows; window++) {
            int from = ErrorSummary.SCORED_FROM + window * SUM_WINDOW;
            double predicted = IntStream.range(from, from + SUM_WINDOW)
                    .mapToDouble(predictions::meanSeconds)
                    .sum();
            double measured = IntStream.range(from, from + SUM_WINDOW)
                    .mapToDouble(predictions::measuredSeconds)
                    .sum();
            errors[window] = Math.abs(predicted / measured - 1);
        }
        return median(errors);
    }

    private static List<Double> overTime(Predictions predictions) {
        int parts = Math.min(PARTS, predictions.size());
        return IntStream.range(0, parts)
                .mapToObj(part -> IntStream.range((int) ((long) part * predictions.size() / parts), (int)
                                ((part + 1L) * predictions.size() / parts))
                        .mapToDouble(predictions::error)
                        .average()
                        .orElseThrow())
                .toList();
    }

    /** Empty without values. */
    static OptionalDouble median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
    }
}
