/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Suspects that what was learned no longer fits, step by step and whatever the direction. Not threadsafe. */
final class MisfitDetector {
    /*
     * A cumulative sum (Page 1954, "Continuous inspection schemes") of how far |log(measured / predicted)| exceeds what
     * is usual. Another engine is slower at one kind of step and faster at the next, so the signed average of the
     * DriftDetector stays small for long. What is usual is learned slowly, with the large errors of a young model in it;
     * an engine whose times always scatter widely raises no suspicion for long.
     *
     * A suspicion is cheap to raise, because it is then tried (see StepTimeModel): over eight recordings, as they are
     * and with noise added, it was raised some thirty times in 200,000 steps, mostly by compile stalls, and never upheld.
     * It is raised again and again, at growing intervals, while the sum stays high: the first steps of another engine
     * may be stalls that nobody predicts.
     */
    private static final double LARGEST = 0.7;

    private static final double TOLERATED = 0.2;
    private static final double TOLERATED_OF_USUAL = 1.5;
    private static final double USUAL_RATE = 0.002;
    private static final double SUSPICIOUS = 2.5;
    private static final int FEWEST_STEPS = 6;
    private static final int FIRST_PAUSE = 2;
    private static final int LONGEST_PAUSE = 64;

    private double sum;
    private double usual;
    private long frames;
    private int steps;
    private int pause = FIRST_PAUSE;
    private int pauseLeft;

    /** Takes in one error; true if it is time to try whether to learn anew from the last {@link #steps} would be better. */
    boolean update(double logRatio) {
        double error = Finite.min(LARGEST, Math.abs(logRatio));
        sum = Finite.max(0, sum + error - Finite.max(TOLERATED, TOLERATED_OF_USUAL * usual));
        steps = sum == 0 ? 0 : Math.min(Integer.MAX_VALUE - 1, steps) + 1;
        usual += Finite.max(USUAL_RATE, 1.0 / ++frames) * (error - usual);
        if (sum < SUSPICIOUS || steps < FEWEST_STEPS) {
            pause = sum == 0 ? FIRST_PAUSE : pause;
            pauseLeft = 0;
            return false;
        }
        if (pauseLeft-- > 0) {
            return false;
        }
        pauseLeft = pause;
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
        return true;
    }

    /** Steps since errors began to be large, 0 if they are not. */
    int steps() {
        return steps;
    }

    /** The misfit has been dealt with. */
    void clear() {
        sum = 0;
        steps = 0;
        pause = FIRST_PAUSE;
        pauseLeft = 0;
    }
}
