/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;

/** What a wall time of each coarse bucket usually is; gives frames their weight. Not threadsafe. */
final class ScaleTable {
    /*
     * Errors are relative, so a frame weighs 1/s^2. Taking s from the frame itself (1/y^2) would give one
     * mis-attributed 2 ms prefill a thousand times the weight of its peers and lock the fit onto it; hence a smoothed
     * s, fed with values capped at CAP times itself so that a compile straggler does not silence a bucket.
     */
    private static final double RATE = 0.05;

    private static final double CAP = 4;

    private final double[] seconds;
    private final int[] counts;

    ScaleTable(int buckets) {
        seconds = new double[buckets];
        counts = new int[buckets];
    }

    /** Takes in a wall time and returns the scale to weigh it by, seconds &gt; 0. */
    double update(int bucket, double wallTimeSeconds) {
        int count = ++counts[bucket];
        if (count == 1) {
            seconds[bucket] = wallTimeSeconds;
        } else {
            double capped = Finite.min(wallTimeSeconds, CAP * seconds[bucket]);
            seconds[bucket] += Finite.max(RATE, 1.0 / count) * (capped - seconds[bucket]);
        }
        return seconds[bucket];
    }

    /** What is known of each bucket that was met. Allocates. */
    List<LearnedStepTimes.Scale> scales() {
        List<LearnedStepTimes.Scale> scales = new ArrayList<>();
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] > 0) {
                scales.add(new LearnedStepTimes.Scale(bucket, seconds[bucket], counts[bucket]));
            }
        }
        return scales;
    }

    void load(List<LearnedStepTimes.Scale> scales) {
        for (LearnedStepTimes.Scale scale : scales) {
            seconds[scale.bucket()] = scale.seconds();
            counts[scale.bucket()] = scale.frames();
        }
    }

    /** After the engine has become {@code ratio} times as slow: what is known, so scaled, counts as one sample. */
    void restate(double ratio) {
        for (int i = 0; i < counts.length; i++) {
            seconds[i] *= ratio;
            counts[i] = Math.min(counts[i], 1);
        }
    }
}
