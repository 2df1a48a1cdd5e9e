/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.replay.RecordedFrame;
import java.util.List;
import java.util.Random;

/** A recorded stream of steps: what was computed, and how long it took or, in an experiment, might have taken. */
final class StepSeries {
    private static final double NOISE_SPREAD = 0.04;
    private static final double STRAGGLER_SHARE = 0.005;
    private static final double STRAGGLER_FACTOR = 10;
    /** Any fixed seed does; with this one the same steps are hit every time. */
    private static final long NOISE_SEED = 7;

    private final String file;
    private final StepWorkload[] steps;
    private final double[] seconds;

    private StepSeries(String file, StepWorkload[] steps, double[] seconds) {
        this.file = file;
        this.steps = steps;
        this.seconds = seconds;
    }

    /** The steps of a recording, none of which is idle. */
    static StepSeries of(String file, List<RecordedFrame> frames) {
        FpmFrame frame = new FpmFrame();
        StepWorkload[] steps = new StepWorkload[frames.size()];
        double[] seconds = new double[steps.length];
        for (int t = 0; t < steps.length; t++) {
            frames.get(t).fill(frame);
            steps[t] = new StepWorkload();
            frame.fill(steps[t]);
            seconds[t] = frame.wallTimeSeconds();
        }
        return new StepSeries(file, steps, seconds);
    }

    String file() {
        return file;
    }

    int size() {
        return steps.length;
    }

    /** Not to be changed. */
    StepWorkload step(int t) {
        return steps[t];
    }

    double seconds(int t) {
        return seconds[t];
    }

    /** The same steps, longer by a factor from {@code change} on, as after a change of the GPU's clock. */
    StepSeries slowedFrom(int change, double factor) {
        double[] slower = seconds.clone();
        for (int t = change; t < slower.length; t++) {
            slower[t] *= factor;
        }
        return new StepSeries(file, steps, slower);
    }

    /** The same steps with 4 % of log-normal noise, and one in two hundred ten times as long. */
    StepSeries withNoise() {
        Random random = new Random(NOISE_SEED);
        double[] noisy = seconds.clone();
        for (int t = 0; t < noisy.length; t++) {
            noisy[t] *= Math.exp(NOISE_SPREAD * random.nextGaussian());
            if (random.nextDouble() < STRAGGLER_SHARE) {
                noisy[t] *= STRAGGLER_FACTOR;
            }
        }
        return new StepSeries(file, steps, noisy);
    }
}
