/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;

/** Small multiplicative corrections of the fit, one a fine bucket, as logarithms. Not threadsafe. */
final class ResidualTable {
    /*
     * Catches what smooth terms cannot: CUDA-graph stairs, tile quantisation, expert imbalance of a batch size, and
     * slow states of the engine that no feature shows. Three experts per bucket say what log(measured / fitted) will
     * be next: a quick and a steady average, both clipped, and 0, the fit by itself. Clipped, because errors are skewed:
     * decode of a DP worker jumps up by 40 % in one step of four, which a mean would charge to all four (median error
     * over the recordings 3.3 % with it, 5.4 % with a plain exponential average).
     *
     * Their blend follows how well each did lately in the regime (exponentially weighted forecasters: Cesa-Bianchi and
     * Lugosi 2006, chapter 2). Quick wins where hidden states come and go, every 50 to 200 steps in recorded decode, by 1 to 4
     * %; steady where wall times are noisy. With noise of 4 % no average of whatever memory tracks such states: what the
     * noise costs then is mostly that.
     *
     * All are pulled to 0 while they have seen few frames. A value reaches +-3, enough for prefill chunks whose time
     * an engine books on the next step. Steps with prefill scatter ten times as widely as decode, so the limit of
     * clipping is wider there.
     */
    private static final double QUICK_RATE = 0.15;

    private static final int QUICK_RUN = 4;
    private static final double STEADY_RATE = 0.03;
    private static final int STEADY_RUN = 8;
    private static final double QUICK_LIMIT = 0.04;
    private static final double STEADY_LIMIT = 0.05;
    private static final double PREFILL_LIMIT = 0.2;
    private static final double LARGEST = 3;
    private static final double PRIOR_FRAMES = 1;
    /** Frames that the quick average remembers, about. */
    private static final int MEMORY = 15;

    private final ClippedAverages quick;
    private final ClippedAverages steady;
    private final long[] frames;
    private final long[] lastMet;
    private final ExpertBlend[] blends = {new ExpertBlend(), new ExpertBlend(), new ExpertBlend()};
    private long now;

    ResidualTable(int buckets) {
        quick = new ClippedAverages(buckets, QUICK_RATE, QUICK_RUN);
        steady = new ClippedAverages(buckets, STEADY_RATE, STEADY_RUN);
        frames = new long[buckets];
        lastMet = new long[buckets];
    }

    /** The log of what to multiply the fit by. */
    double log(int bucket, StepRegime regime) {
        double trust = trust(bucket);
        return blend(regime).of(trust * quick.of(bucket), trust * steady.of(bucket));
    }

    private double trust(int bucket) {
        return frames[bucket] / (frames[bucket] + PRIOR_FRAMES);
    }

    /**
     * Learns from one frame.
     *
     * @param logRatio log(measured / fitted)
     */
    void update(int bucket, StepRegime regime, double logRatio) {
        double value = clip(logRatio);
        double trust = trust(bucket);
        blend(regime).score(trust * quick.of(bucket), trust * steady.of(bucket), value);
        long count = ++frames[bucket];
        boolean decode = regime == StepRegime.DECODE;
        quick.add(bucket, value, count, decode ? QUICK_LIMIT : PREFILL_LIMIT);
        steady.add(bucket, value, count, decode ? STEADY_LIMIT : PREFILL_LIMIT);
        lastMet[bucket] = ++now;
    }

    /** What is known of each bucket that was met. Allocates. */
    List<LearnedStepTimes.Correction> corrections() {
        List<LearnedStepTimes.Correction> corrections = new ArrayList<>();
        for (int bucket = 0; bucket < frames.length; bucket++) {
            if (frames[bucket] > 0) {
                corrections.add(
                        new LearnedStepTimes.Correction(bucket, quick.of(bucket), steady.of(bucket), frames[bucket]));
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
            quick.set(bucket, clip(correction.recentLog()));
            steady.set(bucket, clip(correction.steadyLog()));
        }
    }

    void load(StepRegime regime, List<Double> losses) {
        blend(regime).load(losses);
    }

    /** After a change of the engine: what is known counts as one frame. */
    void condense() {
        for (int bucket = 0; bucket < frames.length; bucket++) {
            if (frames[bucket] > 0) {
                steady.set(bucket, quick.of(bucket));
                frames[bucket] = 1;
            }
        }
    }

    /** Frames that a correction rests on, at most as many as it remembers; 0 if its bucket was never met. */
    int size(int bucket) {
        return (int) Math.min(MEMORY, frames[bucket]);
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

    private static double clip(double value) {
        return Finite.clip(value, LARGEST);
    }
}
