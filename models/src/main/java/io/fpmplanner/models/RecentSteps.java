/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** The last few steps learned from, and how they were predicted. Not threadsafe; allocates nothing after construction. */
final class RecentSteps {
    /*
     * A new learner is better if it has at most BETTER of the errors, by a clear margin in all. An error counts LARGEST
     * at most, so that it is no matter of one stall. Stalls surprise both alike, so they decide nothing.
     */
    private static final int CAPACITY = 16;

    private static final double BETTER = 0.65;
    private static final double MARGIN = 1.5;
    private static final double LARGEST = 0.7;
    /** Nothing can be predicted before something was seen. */
    private static final int NOT_COMPARED = 2;

    private final StepWorkload[] steps = new StepWorkload[CAPACITY];
    private final double[] wallTimeSeconds = new double[CAPACITY];
    private final double[] logRatios = new double[CAPACITY];
    private long added;

    RecentSteps() {
        for (int i = 0; i < CAPACITY; i++) {
            steps[i] = new StepWorkload();
        }
    }

    /** {@code logRatio} is log(measured / predicted). */
    void add(StepWorkload step, double seconds, double logRatio) {
        int slot = (int) (added++ % CAPACITY);
        steps[slot].set(step);
        wallTimeSeconds[slot] = seconds;
        logRatios[slot] = logRatio;
    }

    /** Teaches a new learner the last {@code count} steps; true if it predicted them much better than was done. */
    boolean isBetter(StepTimeLearner challenger, int count) {
        double lost = 0;
        double lostByChallenger = 0;
        int compared = (int) Math.min(added, Math.min(CAPACITY, count));
        for (int i = 0; i < compared; i++) {
            int slot = (int) ((added - compared + i) % CAPACITY);
            double logRatio = challenger.learn(steps[slot], wallTimeSeconds[slot]);
            if (i >= NOT_COMPARED) {
                lost += loss(logRatios[slot]);
                lostByChallenger += loss(logRatio);
            }
        }
        return lostByChallenger < BETTER * lost && lost - lostByChallenger > MARGIN;
    }

    private static double loss(double logRatio) {
        return Finite.min(LARGEST, Math.abs(logRatio));
    }
}
