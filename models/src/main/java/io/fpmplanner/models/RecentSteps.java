/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** The last few steps learned from, with their wall times. Not threadsafe; allocates nothing after construction. */
final class RecentSteps {
    /** About as many as it takes to notice that an engine is another one. */
    private static final int CAPACITY = 10;

    private final StepWorkload[] steps = new StepWorkload[CAPACITY];
    private final double[] wallTimeSeconds = new double[CAPACITY];
    private long added;

    RecentSteps() {
        for (int i = 0; i < CAPACITY; i++) {
            steps[i] = new StepWorkload();
        }
    }

    void add(StepWorkload step, double seconds) {
        int slot = (int) (added++ % CAPACITY);
        steps[slot].set(step);
        wallTimeSeconds[slot] = seconds;
    }

    int size() {
        return (int) Math.min(added, CAPACITY);
    }

    /** A step held, 0 being the oldest; live, not a copy. */
    StepWorkload step(int index) {
        return steps[slot(index)];
    }

    double wallTimeSeconds(int index) {
        return wallTimeSeconds[slot(index)];
    }

    private int slot(int index) {
        return (int) ((added - size() + index) % CAPACITY);
    }
}
