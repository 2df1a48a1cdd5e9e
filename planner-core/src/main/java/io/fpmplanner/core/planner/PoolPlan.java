/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.latency.CalibrationView;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.scaling.Decision;
import io.fpmplanner.core.scaling.Recommendation;
import java.util.List;

/**
 * What is known, predicted and recommended for one pool at one tick.
 *
 * @param pool its state
 * @param latency what a request of typical length would see now
 * @param recommendation how many replicas it should have
 * @param calibration how predictions have turned out
 * @param decisions the newest entries of its decision log, oldest first
 */
public record PoolPlan(
        PoolView pool,
        LatencyPrediction latency,
        Recommendation recommendation,
        CalibrationView calibration,
        List<Decision> decisions) {
    public PoolPlan {
        decisions = List.copyOf(decisions);
    }

    /** A plan of a pool of which nothing was scored or logged. */
    public PoolPlan(PoolView pool, LatencyPrediction latency, Recommendation recommendation) {
        this(pool, latency, recommendation, CalibrationView.NONE, List.of());
    }

    /** The pool's label-safe id. */
    public String id() {
        return pool.settings().id();
    }
}
