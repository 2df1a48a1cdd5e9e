/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/**
 * What a rank's newest step frame was at evenly spaced moments of the last second. Allocates only until full. Not
 * threadsafe.
 */
final class RecentStates {
    /*
     * A tick sees a rank in one moment of its steps, but an answer is used until the next tick. A queue of one prompt
     * that comes and goes within milliseconds is then a coin toss; sampled evenly in time it is the right mixture
     * (Wolff 1982: Poisson arrivals see time averages).
     */
    static final int CAPACITY = 8;

    private static final long SPACING_NANOS = 125_000_000L;

    private final FpmFrame[] frames = new FpmFrame[CAPACITY];
    private final boolean[] idle = new boolean[CAPACITY];
    private final long[] times = new long[CAPACITY];
    private int next;
    private int size;
    private long dueNanos = Long.MIN_VALUE;

    /** Notes the state that held until the given moment, once for each sampling moment since the previous call. */
    void holdUntil(long nanos, FpmFrame state, boolean isIdle) {
        if (dueNanos == Long.MIN_VALUE || dueNanos - nanos > SPACING_NANOS) {
            dueNanos = nanos + SPACING_NANOS;
            return;
        }
        dueNanos = Math.max(dueNanos, nanos - CAPACITY * SPACING_NANOS);
        for (; dueNanos <= nanos; dueNanos += SPACING_NANOS) {
            FpmFrame slot = frames[next];
            if (slot == null) {
                slot = new FpmFrame();
                frames[next] = slot;
            }
            slot.set(state);
            idle[next] = isIdle;
            times[next] = dueNanos;
            next = (next + 1) % CAPACITY;
            size = Math.min(CAPACITY, size + 1);
        }
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    FpmFrame frame(int age) {
        return frames[index(age)];
    }

    boolean idle(int age) {
        return idle[index(age)];
    }

    long nanos(int age) {
        return times[index(age)];
    }

    private int index(int age) {
        return Math.floorMod(next - 1 - age, CAPACITY);
    }
}
