/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.PoolLoad;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.scaling.FleetProjection.Start;

/**
 * What is decided upon.
 *
 * @param pool the pool at this tick
 * @param fleet its replicas, as they are taken to be
 * @param level its demand
 * @param expected arrivals that it must be good for
 * @param latency what a typical request would see now
 * @param waitingOutside requests that are said to wait in front of the pool; NaN if nobody says
 */
record Situation(
        PoolView pool,
        FleetTracker.Fleet fleet,
        DemandHistory.Level level,
        DemandForecast expected,
        LatencyPrediction latency,
        double waitingOutside) {
    boolean waits() {
        return waiting() > 0;
    }

    /** Requests that are seen to wait in engines. */
    double waiting() {
        return pool.load().queuedPrefillRequests() + pool.load().queuedDecodeRequests();
    }

    boolean missesTtft() {
        return latency instanceof LatencyPrediction.Predicted known
                && known.sloShare().ttft() < pool.settings().slo().attainment();
    }

    boolean isIdle() {
        PoolLoad load = pool.load();
        return level.isNothing()
                && !expected.expectsSome()
                && !(waitingOutside > 0)
                && load.running() + load.queuedPrefillRequests() + load.queuedDecodeRequests() <= 0;
    }

    Start start() {
        double ranks = Math.max(1, pool.liveRanks().count());
        double running = pool.load().running() / ranks;
        double outside = waitingOutside > 0 ? waitingOutside : 0;
        return new Start(fleet.ready(), fleet.orders(), level.standingRequests() + outside, running);
    }
}
