/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.ArrayDeque;
import java.util.Deque;

/** The largest value of a time window, in O(1) amortised. Not threadsafe. */
final class RollingMaximum {
    /* Monotonic queue: a value that a later one exceeds can never be the maximum again. */
    private final Deque<Entry> falling = new ArrayDeque<>();
    private final long windowNanos;
    private boolean begun;
    private long begunNanos;

    RollingMaximum(double windowSeconds) {
        this.windowNanos = (long) (windowSeconds * 1e9);
    }

    private record Entry(long nanos, int value) {}

    void add(long nowNanos, int value) {
        if (!begun) {
            begun = true;
            begunNanos = nowNanos;
        }
        while (!falling.isEmpty() && falling.getLast().value() <= value) {
            falling.removeLast();
        }
        falling.addLast(new Entry(nowNanos, value));
        while (nowNanos - falling.getFirst().nanos() > windowNanos) {
            falling.removeFirst();
        }
    }

    /** Forgets all values: the window begins anew. */
    void clear() {
        begun = false;
        falling.clear();
    }

    /** Whether values were added for the whole length of the window. */
    boolean isFull(long nowNanos) {
        return begun && nowNanos - begunNanos >= windowNanos;
    }

    int maximum() {
        return falling.isEmpty() ? 0 : falling.getFirst().value();
    }
}
