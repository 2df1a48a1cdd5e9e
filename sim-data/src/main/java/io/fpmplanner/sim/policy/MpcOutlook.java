/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/** What a fleet would do over the horizon, step by step. Not threadsafe. */
final class MpcOutlook {
    private static final double SAME = 1e-9;

    private final LatencyObjective objective;
    private final double safeUtilisation;
    private final double safeTtftSeconds;
    private double offered;
    private double good;
    private double gpus;
    private int steps;
    private boolean safe = true;

    MpcOutlook(LatencyObjective objective, double safeUtilisation, double safeTtftShare) {
        this.objective = objective;
        this.safeUtilisation = safeUtilisation;
        this.safeTtftSeconds = safeTtftShare * objective.ttftSeconds();
    }

    void add(double rate, double ttftSeconds, double itlSeconds, double utilisation, int fleet) {
        // A mean above its limit leaves a share of requests below it, which shrinks as the mean grows.
        double within = Math.min(1, objective.ttftSeconds() / Math.max(ttftSeconds, 1e-9))
                * Math.min(1, square(objective.itlSeconds() / Math.max(itlSeconds, 1e-9)));
        offered += rate;
        good += rate * within;
        gpus += fleet;
        steps++;
        safe &= utilisation <= safeUtilisation && ttftSeconds < safeTtftSeconds && itlSeconds <= objective.itlSeconds();
    }

    private static double square(double value) {
        return value * value;
    }

    boolean safe() {
        return safe;
    }

    double goodShare() {
        return offered > 0 ? good / offered : 1;
    }

    double meanGpus() {
        return gpus / steps;
    }

    /** More good requests for the GPU time; at equal ratios the smaller fleet. */
    boolean betterThan(MpcOutlook other) {
        double ratio = good / Math.max(gpus, SAME);
        double otherRatio = other.good / Math.max(other.gpus, SAME);
        return ratio > otherRatio + SAME || (ratio > otherRatio - SAME && gpus < other.gpus);
    }
}
