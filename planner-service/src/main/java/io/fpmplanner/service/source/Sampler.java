/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

/** Lets the first event of a kind through and then at most one per interval, with a count of those held back. */
final class Sampler {
    static final long HELD_BACK = -1;

    private final long intervalNanos;
    private boolean any;
    private long lastNanos;
    private long heldBack;

    Sampler(double intervalSeconds) {
        this.intervalNanos = (long) (intervalSeconds * 1e9);
    }

    /** {@link #HELD_BACK}, or the number of events held back since the last that passed. */
    long admit(long nowNanos) {
        if (any && nowNanos - lastNanos < intervalNanos) {
            heldBack++;
            return HELD_BACK;
        }
        any = true;
        lastNanos = nowNanos;
        long since = heldBack;
        heldBack = 0;
        return since;
    }
}
