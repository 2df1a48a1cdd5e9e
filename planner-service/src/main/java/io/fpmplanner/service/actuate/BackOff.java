/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

/** Waits that double from one trouble to the next. Not threadsafe. */
final class BackOff {
    private final long firstNanos;
    private final long longestNanos;
    private int troubles;
    private long untilNanos = Long.MIN_VALUE;

    BackOff(double firstSeconds, double longestSeconds) {
        this.firstNanos = Math.round(firstSeconds * 1e9);
        this.longestNanos = Math.max(firstNanos, Math.round(longestSeconds * 1e9));
    }

    /** Begins the next wait. */
    void trouble(long nowNanos) {
        long wait = firstNanos;
        for (int i = 0; i < troubles && wait < longestNanos; i++) {
            wait *= 2;
        }
        troubles++;
        untilNanos = nowNanos + Math.min(wait, longestNanos);
    }

    /** Forgets all troubles. */
    void over() {
        troubles = 0;
        untilNanos = Long.MIN_VALUE;
    }

    /** Troubles since the last good time. */
    int troubles() {
        return troubles;
    }

    boolean waits(long nowNanos) {
        return nowNanos < untilNanos;
    }

    /** End of the last wait; only with troubles. */
    long untilNanos() {
        return untilNanos;
    }
}
