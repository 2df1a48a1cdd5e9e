/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Small multiplicative corrections of the fit, one a fine bucket, as logarithms. Not threadsafe. */
final class ResidualTable {
    /*
     * Catches what smooth terms cannot: CUDA-graph stairs, tile quantisation, expert imbalance of a batch size, and
     * slow states of the engine that no feature shows. Three experts per bucket say what log(measured / fitted) will
     * be next:
     *
     *  - quick: the median of the last WINDOW values. A median and not a mean, because the errors are skewed: decode
     *    of a DP worker jumps up by 40 % in one step of four, which a mean would charge to all four (median error over
     *    the recordings 3.5 % with it, 5.4 % with an exponential average of the same memory);
     *  - steady: a median too, but one that creeps by a share of the typical error per frame (stochastic
     *    approximation: Robbins and Monro 1951), hence with little noise of its own;
     *  - none: 0, the fit by itself.
     *
     * Their blend follows how well each did lately in the regime (exponentially weighted forecasters: Cesa-Bianchi and
     * Lugosi 2006, chapter 2). Quick wins where hidden states come and go, steady where wall times are noisy. With 4 %
     * of noise added it halves what the noise costs.
     *
     * All are pulled to 0 while they have seen few frames. A value reaches +-3, enough for prefill chunks whose time
     * an engine books on the next step.
     */
    private static final int WINDOW = 15;

    private static final double LARGEST = 3;
    private static final double PRIOR_FRAMES = 1;
    private static final int AVERAGED_FRAMES = 8;
    private static final double LARGEST_EARLY_STEP = 0.5;
    private static final double CREEP = 0.03;
    private static final double SMALLEST_SPREAD = 0.005;

    private final SortedWindows recent;
    private final double[] steady;
    private final long[] frames;
    private final long[] lastMet;
    private final ExpertBlend[] blends = {new ExpertBlend(), new ExpertBlend(), new ExpertBlend()};
    private long now;

    ResidualTable(int buckets) {
        recent = new SortedWindows(buckets, WINDOW);
        steady = new double[buckets];
        frames = new long[buckets];
        lastMet = new long[buckets];
    }

    /** The log of what to multiply the fit by. */
    double log(int bucket, StepRegime regime) {
        return blend(regime).of(quick(bucket), steady(bucket));
    }

    private double quick(int bucket) {
        int size = recent.size(bucket);
        return size == 0 ? 0 : recent.median(bucket) * size / (size + PRIOR_FRAMES);
    }

    private double steady(int bucket) {
        return steady[bucket] * frames[bucket] / (frames[bucket] + PRIOR_FRAMES);
    }

    /**
     * Learns from one frame.
     *
     * @param logRatio log(measured / fitted)
     * @param spread typical error of the regime
     */
    void update(int bucket, StepRegime regime, double logRatio, double spread) {
        double value = clip(logRatio, LARGEST);
        blend(regime).score(quick(bucket), steady(bucket), value);
        recent.add(bucket, value);
        double distance = value - steady[bucket];
        if (++frames[bucket] < AVERAGED_FRAMES) {
            steady[bucket] += clip(distance, LARGEST_EARLY_STEP) / (frames[bucket] + 1);
        } else {
            double rate = Math.max(CREEP, 1.0 / frames[bucket]);
            steady[bucket] += clip(distance, rate * Math.max(SMALLEST_SPREAD, spread));
        }
        lastMet[bucket] = ++now;
    }

    /** What is known of each bucket that was met. Allocates. */
    List<LearnedStepTimes.Correction> corrections() {
        List<LearnedStepTimes.Correction> corrections = new ArrayList<>();
        for (int bucket = 0; bucket < frames.length; bucket++) {
            if (recent.size(bucket) > 0) {
                corrections.add(
                        new LearnedStepTimes.Correction(bucket, recent.median(bucket), steady[bucket], frames[bucket]));
            }
        }
        return corrections;
    }

    /** Losses of the three experts of a regime. */
    List<Double> losses(StepRegime regime) {
        return blend(regime).losses();
    }

    void load(List<LearnedStepTimes.Correction> corrections) {
        for (LearnedStepTimes.Correction correction : corrections) {
            int bucket = correction.bucket();
            frames[bucket] = correction.frames();
            steady[bucket] = clip(correction.steadyLog(), LARGEST);
            for (long i = Math.min(WINDOW, correction.frames()); i > 0; i--) {
                recent.add(bucket, clip(correction.recentLog(), LARGEST));
            }
        }
    }

    void load(StepRegime regime, List<Double> losses) {
        blend(regime).load(losses);
    }

    /** After a change of the engine: what is known counts as one frame. */
    void condense() {
        for (int bucket = 0; bucket < frames.length; bucket++) {
            if (frames[bucket] > 0) {
                steady[bucket] = recent.median(bucket);
                frames[bucket] = 1;
            }
        }
        recent.condense();
    }

    void clear() {
        recent.clear();
        Arrays.fill(steady, 0);
        Arrays.fill(frames, 0);
        for (ExpertBlend blend : blends) {
            blend.clear();
        }
    }

    /** Frames a bucket remembers, at most a window; 0 if it was never met. */
    int size(int bucket) {
        return recent.size(bucket);
    }

    /** Frames learned by the table since this bucket was last met. */
    long age(int bucket) {
        return now - lastMet[bucket];
    }

    private ExpertBlend blend(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> blends[0];
            case DECODE -> blends[1];
            case MIXED -> blends[2];
        };
    }

    private static double clip(double value, double limit) {
        return Math.max(-limit, Math.min(limit, value));
    }
}
