/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.Arrays;
import java.util.Random;

/** Figures of one learner on one recording, each step predicted before it is learned. */
final class Trial {
    /** Steps to learn from before errors count. */
    static final int SCORED_FROM = 200;

    private static final int NOISE_SEEDS = 3;

    private Trial() {}

    static double[] errors(Recording recording) {
        double[] seconds = measured(recording);
        return errors(recording, seconds, seconds);
    }

    /** Absolute relative errors against {@code truth} of a model that learns {@code learned}; 1 while it is cold. */
    static double[] errors(Recording recording, double[] learned, double[] truth) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        double[] errors = new double[truth.length];
        int[] t = new int[1];
        recording.forEach((step, ignored) -> {
            errors[t[0]] = model.isCold() ? 1 : Math.abs(model.predictSeconds(step) / truth[t[0]] - 1);
            model.observe(step, learned[t[0]++]);
        });
        return errors;
    }

    /** Errors on the second recording of a model that has learned the first. */
    static double[] switched(Recording from, Recording to) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        from.forEach(model::observe);
        double[] errors = new double[measured(to).length];
        int[] t = new int[1];
        to.forEach((step, seconds) -> {
            errors[t[0]++] = Math.abs(model.predictSeconds(step) / seconds - 1);
            model.observe(step, seconds);
        });
        return errors;
    }

    /** Share of the scored steps inside the central interval of this probability. */
    static double coverage(Recording recording, double share) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        int[] count = new int[2];
        recording.forEach((step, seconds) -> {
            if (count[0]++ >= SCORED_FROM
                    && seconds >= model.predictQuantileSeconds(step, 0.5 - share / 2)
                    && seconds <= model.predictQuantileSeconds(step, 0.5 + share / 2)) {
                count[1]++;
            }
            model.observe(step, seconds);
        });
        return (double) count[1] / (count[0] - SCORED_FROM);
    }

    /** A snapshot every 50 steps, as a planner would take one every second or so. */
    static double medianErrorOfSums(Recording recording) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        StepTimePredictor[] predictor = new StepTimePredictor[1];
        double[] sums = new double[2];
        int[] count = new int[1];
        double[] errors = new double[(measured(recording).length - SCORED_FROM) / 400];
        recording.forEach((step, seconds) -> {
            int scored = count[0]++ - SCORED_FROM;
            if (scored >= 0) {
                if (scored % 50 == 0) {
                    predictor[0] = model.snapshot().predictor();
                }
                sums[0] += predictor[0].meanSeconds(step);
                sums[1] += seconds;
                if (scored % 400 == 399) {
                    errors[scored / 400] = Math.abs(sums[0] / sums[1] - 1);
                    Arrays.fill(sums, 0);
                }
            }
            model.observe(step, seconds);
        });
        return median(errors);
    }

    static double[] measured(Recording recording) {
        double[] seconds = new double[recording.frames().size()];
        int[] count = new int[1];
        recording.forEach((step, wallTime) -> seconds[count[0]++] = wallTime);
        return Arrays.copyOf(seconds, count[0]);
    }

    static double mean(double[] values, int from, int to) {
        return Arrays.stream(values, from, Math.min(to, values.length))
                .average()
                .orElseThrow();
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /**
     * What noise adds to the mean error of the scored steps: 4 % log-normal and stragglers are learned, but scored against
     * the times without, for nobody could predict the noise itself. Mean over a few seeds.
     */
    static double costOfNoise(Recording recording) {
        double[] clean = measured(recording);
        double without = mean(errors(recording, clean, clean), SCORED_FROM, clean.length);
        double sum = 0;
        for (int seed = 7; seed < 7 + NOISE_SEEDS; seed++) {
            sum += mean(errors(recording, withNoise(clean, seed), clean), SCORED_FROM, clean.length) - without;
        }
        return sum / NOISE_SEEDS;
    }

    /** 4 % log-normal noise, and one step in two hundred ten times as long. */
    static double[] withNoise(double[] seconds, int seed) {
        Random random = new Random(seed);
        return Arrays.stream(seconds)
                .map(value -> value * Math.exp(0.04 * random.nextGaussian()) * (random.nextDouble() < 0.005 ? 10 : 1))
                .toArray();
    }

    /** Slower by a quarter from the given step on. */
    static double[] withSlowerClock(double[] seconds, int from) {
        double[] slower = seconds.clone();
        for (int t = from; t < slower.length; t++) {
            slower[t] *= 1.25;
        }
        return slower;
    }

    /** Steps after {@code from} until the next 20 have a mean error below 10 %, or -1. */
    static int recovery(double[] errors, int from) {
        for (int t = from; t + 20 <= errors.length; t++) {
            if (mean(errors, t, t + 20) < 0.1) {
                return t - from;
            }
        }
        return -1;
    }
}
