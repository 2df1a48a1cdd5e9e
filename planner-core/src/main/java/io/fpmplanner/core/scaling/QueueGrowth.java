/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.Role;

/** Sees a fleet that cannot cope without knowing step times: its queue grows and grows. Not threadsafe. */
final class QueueGrowth {
    /*
     * Over a queue that never empties, what is completed is the capacity, and completed plus growth is what arrives. It
     * must have grown for LASTING_SECONDS and to more than FEW for each replica, which no fluctuation of a fleet that
     * copes does. What was completed was completed by those that served meanwhile: replicas that came since have queues of
     * their own, and none of the old one.
     */
    private static final double LASTING_SECONDS = 8;
    static final double FEW = 4;

    private final Role role;
    private long sinceNanos = -1;
    private double atFirst;
    private double completed;
    private double serving;
    private int ticks;

    QueueGrowth(Role role) {
        this.role = role;
    }

    /**
     * Takes a tick.
     *
     * @param live replicas that serve
     */
    void note(long nowNanos, PoolLoad load, int live) {
        double waiting = waiting(load);
        if (waiting <= 0) {
            sinceNanos = -1;
            return;
        }
        if (sinceNanos < 0 || waiting < atFirst) {
            sinceNanos = nowNanos;
            atFirst = waiting;
            completed = 0;
            serving = 0;
            ticks = 0;
        } else {
            completed += load.tick().prefillsCompleted();
        }
        serving += live;
        ticks++;
    }

    /** Replicas that the present arrivals need, by proportion; 0 as long as nothing says that there are too few. */
    int needed(PoolView pool, int ready) {
        double waiting = waiting(pool.load());
        double seconds = sinceNanos < 0 ? 0 : (pool.nowNanos() - sinceNanos) / 1e9;
        double grown = waiting - atFirst;
        if (seconds < LASTING_SECONDS || waiting < FEW * Math.max(1, ready) || grown <= 0) {
            return 0;
        }
        double ratio = completed > 0 ? (completed + grown) / completed : 2;
        double served = Math.min(ready, serving / Math.max(1, ticks));
        return (int) Math.ceil(Math.max(1, served) * Math.min(4, ratio));
    }

    private double waiting(PoolLoad load) {
        return role == Role.DECODE ? load.queuedDecodeRequests() : load.queuedPrefillRequests();
    }
}
