/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencySpread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Predictions of what a request sees now against what it saw.
 *
 * @param ttft of requests, by their TTFT
 * @param itl of ticks, by the gaps between tokens in the two seconds that followed
 */
record NowScore(Optional<Score> ttft, Optional<Score> itl) {
    private static final double FOLLOWING_SECONDS = 2;

    /**
     * One latency. Errors are those factors less 1 by which the predicted percentile would have to be multiplied to
     * be met by just that share; so below 0 the prediction is too high.
     *
     * @param count predictions
     * @param predictedP50 median over the predicted medians, seconds
     * @param trueP50 median, seconds
     * @param predictedP90 median over the predicted 90th percentiles, seconds
     * @param trueP90 90th percentile, seconds
     * @param p50Error of the median
     * @param p90Error of the 90th percentile
     * @param met90 share within the predicted 90th percentile
     * @param met99 share within the predicted 99th percentile
     */
    record Score(
            long count,
            double predictedP50,
            double trueP50,
            double predictedP90,
            double trueP90,
            double p50Error,
            double p90Error,
            double met90,
            double met99) {
        String line() {
            return String.format(
                    Locale.ROOT,
                    "%8.1f %8.1f %+6.1f%% %8.1f %8.1f %+6.1f%% %6.1f%% %6.1f%% %7d",
                    1e3 * predictedP50,
                    1e3 * trueP50,
                    100 * p50Error,
                    1e3 * predictedP90,
                    1e3 * trueP90,
                    100 * p90Error,
                    100 * met90,
                    100 * met99,
                    count);
        }
    }

    /** Pairs of a predicted distribution and a weighted truth. */
    private static final class Pairs {
        private final List<LatencySpread> predicted = new ArrayList<>();
        private final List<double[]> truth = new ArrayList<>();

        void add(LatencySpread spread, double seconds, double weight) {
            predicted.add(spread);
            truth.add(new double[] {seconds, weight});
        }

        Optional<Score> score() {
            if (predicted.size() < 20) {
                return Optional.empty();
            }
            return Optional.of(new Score(
                    predicted.size(),
                    quantile(0.5, i -> predicted.get(i).p50Seconds()),
                    quantile(0.5, i -> truth.get(i)[0]),
                    quantile(0.5, i -> predicted.get(i).p90Seconds()),
                    quantile(0.9, i -> truth.get(i)[0]),
                    quantile(0.5, i -> truth.get(i)[0] / predicted.get(i).p50Seconds()) - 1,
                    quantile(0.9, i -> truth.get(i)[0] / predicted.get(i).p90Seconds()) - 1,
                    met(i -> predicted.get(i).p90Seconds()),
                    met(i -> predicted.get(i).p99Seconds())));
        }

        private double quantile(double probability, ToDoubleFunction<Integer> value) {
            Integer[] order = new Integer[predicted.size()];
            Arrays.setAll(order, i -> i);
            double[] values = new double[order.length];
            double total = 0;
            for (int i = 0; i < values.length; i++) {
                values[i] = value.applyAsDouble(i);
                total += truth.get(i)[1];
            }
            Arrays.sort(order, (a, b) -> Double.compare(values[a], values[b]));
            double below = 0;
            for (Integer i : order) {
                below += truth.get(i)[1];
                if (below >= probability * total) {
                    return values[i];
                }
            }
            return values[order[order.length - 1]];
        }

        private double met(ToDoubleFunction<Integer> bound) {
            double within = 0;
            double total = 0;
            for (int i = 0; i < predicted.size(); i++) {
                within += truth.get(i)[0] <= bound.applyAsDouble(i) ? truth.get(i)[1] : 0;
                total += truth.get(i)[1];
            }
            return within / total;
        }
    }

    static NowScore of(AccuracyRun run, String itlPool) {
        Pairs ttft = new Pairs();
        for (AccuracyRun.Asked asked : run.asked) {
            ttft.add(asked.predicted().ttft(), asked.trueSeconds(), 1);
        }
        Pairs itl = new Pairs();
        int next = 0;
        List<AccuracyRun.Gap> gaps = run.gaps.getOrDefault(itlPool, List.of());
        for (AccuracyRun.Tick tick : run.ticks.getOrDefault(itlPool, List.of())) {
            if (!(tick.plan().latency() instanceof LatencyPrediction.Predicted known)
                    || known.itl().isEmpty()) {
                continue;
            }
            while (next < gaps.size() && gaps.get(next).seconds() <= tick.seconds()) {
                next++;
            }
            for (int i = next; i < gaps.size() && gaps.get(i).seconds() <= tick.seconds() + FOLLOWING_SECONDS; i++) {
                itl.add(known.itl().get(), gaps.get(i).gapSeconds(), gaps.get(i).tokens());
            }
        }
        return new NowScore(ttft.score(), itl.score());
    }
}
