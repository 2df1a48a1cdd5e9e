/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;
import java.util.List;

/** Measures how long whoever stands last in a rank's queue waits, one at a time. Not threadsafe. */
final class QueueWatch {
    /* Prompts are taken in order, so the last of q has begun when q more have been taken. */
    private long sinceNanos;
    private double ahead;
    private boolean watching;

    /** Takes a step; prompts begun are those whose first chunk it was. */
    void add(FpmFrame step, long begun, List<SeenLatency.Wait> into) {
        if (!watching) {
            return;
        }
        ahead -= begun;
        if (ahead <= 0) {
            watching = false;
            double started = step.receivedNanos() - step.wallTimeSeconds() * 1e9;
            into.add(new SeenLatency.Wait(sinceNanos, Math.max(0, (started - sinceNanos) / 1e9)));
        }
    }

    /** Starts to watch the last of the queue, if something waits and nobody is watched. */
    void tick(long nowNanos, double queued) {
        if (!watching && queued >= 1) {
            watching = true;
            sinceNanos = nowNanos;
            ahead = Math.rint(queued);
        }
    }

    void clear() {
        watching = false;
    }
}
