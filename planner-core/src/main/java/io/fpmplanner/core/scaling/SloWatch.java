/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.SloTarget;

/** Whether requests have been predicted to miss an objective for some ticks on end. Not threadsafe. */
final class SloWatch {
    private static final int TICKS = 3;

    private final SloTarget slo;
    private int ticksTtftAbove;
    private int ticksItlAbove;

    SloWatch(SloTarget slo) {
        this.slo = slo;
    }

    void note(PoolLoad load, LatencyPrediction latency) {
        boolean ttftAbove = false;
        boolean itlAbove = false;
        if (latency instanceof LatencyPrediction.Predicted predicted) {
            boolean waiting = load.queuedPrefillRequests() + load.queuedDecodeRequests() > 0;
            ttftAbove = waiting && predicted.sloShare().ttft() < slo.attainment();
            itlAbove = load.running() > 0 && predicted.sloShare().itl().orElse(1) < slo.attainment();
        }
        ticksTtftAbove = ttftAbove ? ticksTtftAbove + 1 : 0;
        ticksItlAbove = itlAbove ? ticksItlAbove + 1 : 0;
    }

    boolean misses() {
        return missesTtft() || ticksItlAbove >= TICKS;
    }

    boolean missesTtft() {
        return ticksTtftAbove >= TICKS;
    }
}
