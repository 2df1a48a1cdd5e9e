/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.models.StepWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What a learner predicted for each step of a series just before it learned from it. */
final class Predictions {
    /** Central intervals that are checked, as shares of the steps they should hold. */
    static final List<Double> LEVELS = List.of(0.5, 0.8, 0.9, 0.99);

    private final StepSeries truth;
    /** Seconds, 0 where the learner had no answer: an error of 100 %. */
    private final double[] predicted;

    private final double[] means;
    /** For each step a bit a level, or {@link #NO_INTERVAL}. */
    private final byte[] inside;

    private final List<Integer> resets = new ArrayList<>();

    private static final byte NO_INTERVAL = -1;

    private Predictions(StepSeries truth) {
        this.truth = truth;
        predicted = new double[truth.size()];
        means = new double[truth.size()];
        inside = new byte[truth.size()];
    }

    /** Lets a learner go through the series; it keeps what it learned. */
    static Predictions of(StepLearner learner, StepSeries series) {
        return of(learner, series, series);
    }

    /** The same where the times learned from are not those that predictions are judged by. */
    static Predictions of(StepLearner learner, StepSeries learned, StepSeries truth) {
        Predictions predictions = new Predictions(truth);
        long resets = learner.driftResets();
        for (int t = 0; t < truth.size(); t++) {
            predictions.record(t, learner);
            learner.observe(learned.step(t), learned.seconds(t));
            if (learner.driftResets() != resets) {
                resets = learner.driftResets();
                predictions.resets.add(t);
            }
        }
        return predictions;
    }

    private void record(int t, StepLearner learner) {
        StepWorkload step = truth.step(t);
        predicted[t] = learner.predictSeconds(step).orElse(0);
        means[t] = learner.meanSeconds(step).orElse(0);
        for (int i = 0; i < LEVELS.size(); i++) {
            OptionalDouble low = learner.quantileSeconds(step, 0.5 - LEVELS.get(i) / 2);
            OptionalDouble high = learner.quantileSeconds(step, 0.5 + LEVELS.get(i) / 2);
            if (low.isEmpty() || high.isEmpty()) {
                inside[t] = NO_INTERVAL;
                return;
            }
            if (truth.seconds(t) >= low.getAsDouble() && truth.seconds(t) <= high.getAsDouble()) {
                inside[t] |= (byte) (1 << i);
            }
        }
    }

    int size() {
        return predicted.length;
    }

    StepRegime regime(int t) {
        return truth.step(t).regime();
    }

    double measuredSeconds(int t) {
        return truth.seconds(t);
    }

    /** Seconds; 0 if there was no answer. */
    double predictedSeconds(int t) {
        return predicted[t];
    }

    /** The prediction meant for sums, seconds; 0 if there was no answer. */
    double meanSeconds(int t) {
        return means[t];
    }

    boolean answered(int t) {
        return predicted[t] > 0;
    }

    /** Absolute relative error; 1 if there was no answer. */
    double error(int t) {
        return Math.abs(predicted[t] / truth.seconds(t) - 1);
    }

    /** Whether the learner gave intervals for this step. */
    boolean hasInterval(int t) {
        return inside[t] != NO_INTERVAL;
    }

    /** Whether the interval of a level, by its place in {@link #LEVELS}, held the measured time. */
    boolean inside(int t, int level) {
        return hasInterval(t) && (inside[t] & 1 << level) != 0;
    }

    /** Steps by which the learner had found that the engine changed. */
    List<Integer> driftResets() {
        return List.copyOf(resets);
    }
}
