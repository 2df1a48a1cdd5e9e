/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.recording.RecordedFrame;
import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import java.util.ArrayList;
import java.util.Arrays;
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

    /**
     * The steps of a recording, in its order.
     *
     * @throws RecordingException if it cannot be read to its end
     */
    static StepSeries of(String file, Recording recording) throws RecordingException {
        FpmFrame frame = new FpmFrame();
        List<StepWorkload> steps = new ArrayList<>();
        double[] seconds = new double[1024];
        while (recording.next(frame)) {
            if (frame.hasWork() && frame.wallTimeSeconds() > 0 && frame.isPlausible()) {
                if (steps.size() == seconds.length) {
                    seconds = Arrays.copyOf(seconds, 2 * seconds.length);
                }
                seconds[steps.size()] = frame.wallTimeSeconds();
                steps.add(frame.fill(new StepWorkload()));
            }
        }
        return new StepSeries(file, steps.toArray(StepWorkload[]::new), Arrays.copyOf(seconds, steps.size()));
    }

    /** Steps as they are given, none of which is idle. */
    static StepSeries of(String file, List<RecordedFrame> frames) {
        FpmFrame frame = new FpmFrame();
        StepWorkload[] steps = new StepWorkload[frames.size()];
        double[] seconds = new double[steps.length];
        for (int t = 0; t < steps.length; t++) {
            frames.get(t).fill(frame);
            steps[t] = frame.fill(new StepWorkload());
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
