/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Notices that an engine has become another one. Not threadsafe. */
final class DriftDetector {
    /*
     * An exponential average of clipped log(measured / predicted) over all regimes. Clipping keeps one straggler from
     * raising an alarm; 0.3 is above what a 20 % clock change does (0.22), which forgetting and the residual table
     * follow without a reset. Over 22 recordings the alarm rose once, over 10 simulated streams never.
     */
    private static final double RATE = 0.05;

    private static final double THRESHOLD = 0.3;
    private static final double CLIP = 1;
    private static final int QUIET_FRAMES = 60;

    private static final double RECENT_RATE = 0.25;
    private static final double RECENT_CLIP = 3;

    private double average;
    private double recent;
    private int framesSinceReset;

    /** Takes in one error; true if the past no longer holds. */
    boolean update(double logRatio) {
        average += RATE * (Finite.clip(logRatio, CLIP) - average);
        recent += RECENT_RATE * (Finite.clip(logRatio, RECENT_CLIP) - recent);
        framesSinceReset++;
        if (Math.abs(average) <= THRESHOLD || framesSinceReset < QUIET_FRAMES) {
            return false;
        }
        average = 0;
        framesSinceReset = 0;
        return true;
    }

    /** How many times as slow the engine has become, by the last few frames. */
    double ratio() {
        return Math.exp(recent);
    }
}
