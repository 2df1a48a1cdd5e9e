/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/** The step that runs, or a stretch of alike ones. Not threadsafe. */
final class TwinStep {
    static final double NEVER = Double.POSITIVE_INFINITY;

    private double start;
    private double end = NEVER;
    private double seconds;
    private double count;

    void clear() {
        end = NEVER;
        count = 0;
    }

    void begin(double atSeconds, double each, double steps) {
        start = atSeconds;
        seconds = each;
        count = steps;
        end = start + count * seconds;
    }

    /** Cuts a stretch at the end of the step that runs at that moment. */
    void cutAt(double nowSeconds) {
        double done = Math.ceil((nowSeconds - start) / seconds);
        count = Math.max(1, Math.min(count, done));
        end = start + count * seconds;
    }

    /** Lets the first step end no sooner than that: it began later. */
    void stillRunningAt(double atSeconds) {
        double late = atSeconds - start - seconds;
        if (isRunning() && late > 0) {
            start += late;
            end += late;
        }
    }

    boolean isRunning() {
        return end != NEVER;
    }

    double startSeconds() {
        return start;
    }

    /** Infinite if nothing runs. */
    double endSeconds() {
        return end;
    }

    /** Of one of the steps. */
    double seconds() {
        return seconds;
    }

    /** How many steps. */
    double count() {
        return count;
    }
}
