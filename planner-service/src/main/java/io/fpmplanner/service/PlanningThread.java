/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.PlanMaker;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.PoolMemory;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that makes plans and hangs them on the board, so that taking frames never waits for it. Threadsafe; what
 * is asked for is done in turn, and futures complete where it was asked for.
 */
final class PlanningThread {
    private final PlanMaker maker;
    private final PlanBoard board;
    private final WorkerExecutor thread;

    PlanningThread(Vertx vertx, PlanMaker maker, PlanBoard board) {
        this.maker = maker;
        this.board = board;
        this.thread = vertx.createSharedWorkerExecutor(PlannerService.PLANNING_THREAD, 1);
    }

    /** Makes the plan of what was seen and shows it to everyone. */
    Future<PlanView> plan(long nowNanos, List<PoolView> views) {
        return thread.executeBlocking(() -> {
            PlanView plan = maker.plan(nowNanos, views);
            board.publish(plan);
            return plan;
        });
    }

    /** Puts what was learned together with what was ordered. */
    Future<PlannerMemory> memory(long nowNanos, List<PoolMemory> learned) {
        return thread.executeBlocking(() -> maker.memory(nowNanos, learned));
    }

    Future<?> supplyQueue(int poolIndex, double requests, long validUntilNanos) {
        return thread.executeBlocking(() -> {
            maker.supplyQueue(poolIndex, requests, validUntilNanos);
            return null;
        });
    }

    Future<?> supplyForecast(int poolIndex, @Nullable SuppliedForecast forecast) {
        return thread.executeBlocking(() -> {
            maker.supplyForecast(poolIndex, forecast);
            return null;
        });
    }

    Future<ObservationCount> observe(int poolIndex, List<LatencyObservation> observations, long nowNanos) {
        return thread.executeBlocking(() -> maker.observe(poolIndex, observations, nowNanos));
    }
}
