/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import java.util.ArrayDeque;
import java.util.Deque;

/** The largest value of a time window whose newest part may be corrected. Not threadsafe. */
final class RollingMaximum {
    /* Runs of equal values; those of a decision change rarely, so a look at all of them is cheap. */
    private static final int MOST_RUNS = 4096;

    private final Deque<Run> runs = new ArrayDeque<>();
    private final long windowNanos;
    private boolean begun;
    private long begunNanos;

    RollingMaximum(double windowSeconds) {
        this.windowNanos = (long) (windowSeconds * 1e9);
    }

    private record Run(long firstNanos, long lastNanos, int value) {}

    void add(long nowNanos, int value) {
        if (!begun) {
            begun = true;
            begunNanos = nowNanos;
        }
        Run last = runs.peekLast();
        if (last != null && last.value() == value) {
            runs.removeLast();
            runs.addLast(new Run(last.firstNanos(), nowNanos, value));
        } else {
            runs.addLast(new Run(nowNanos, nowNanos, value));
        }
        while (nowNanos - runs.getFirst().lastNanos() > windowNanos) {
            runs.removeFirst();
        }
        if (runs.size() > MOST_RUNS) {
            mergeOldest();
        }
    }

    private void mergeOldest() {
        Run first = runs.removeFirst();
        Run second = runs.removeFirst();
        runs.addFirst(new Run(first.firstNanos(), second.lastNanos(), Math.max(first.value(), second.value())));
    }

    /** Replaces the values added since the given time by one that is known better now. */
    void restate(long sinceNanos, int value) {
        while (!runs.isEmpty() && runs.getLast().firstNanos() >= sinceNanos) {
            runs.removeLast();
        }
        if (!runs.isEmpty()) {
            Run cut = runs.removeLast();
            runs.addLast(new Run(cut.firstNanos(), Math.min(cut.lastNanos(), sinceNanos), cut.value()));
            add(sinceNanos, value);
        }
    }

    /** Forgets all values: the window begins anew. */
    void clear() {
        begun = false;
        runs.clear();
    }

    /** Whether values were added for the whole of the given time, which is at most the window. */
    boolean covers(double seconds, long nowNanos) {
        return begun && nowNanos - begunNanos >= (long) (seconds * 1e9);
    }

    /** The largest value of the newest part of the window. */
    int maximum(double seconds, long nowNanos) {
        int maximum = 0;
        long edge = nowNanos - (long) (seconds * 1e9);
        for (Run run : runs) {
            if (run.lastNanos() >= edge) {
                maximum = Math.max(maximum, run.value());
            }
        }
        return maximum;
    }
}
