/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.service.metrics.RankTotals;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.scaling.OrchestratorInput;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.SourceSet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the planner: drains the sources into it, ticks it and publishes its plans. Everything but {@link #wake} and what
 * tells the planner something runs on this verticle's event loop.
 */
final class IngestVerticle extends VerticleBase implements OrchestratorInput {
    /** Frames taken of each source before the next one, and then timers and other tasks of the loop, get their turn. */
    private static final int BATCH = 512;

    private static final long FAILURE_LOG_NANOS = 10_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(IngestVerticle.class);

    private final Planner planner;
    private final PlanBoard board;
    private final SourceSet sources;
    private final long tickMillis;
    private final RankTotals totals;
    private final ServiceMetrics metrics;
    private final LongSupplier nanoClock;
    private final FrameWatcher watcher;
    private final AtomicBoolean awake = new AtomicBoolean();
    private long lastFailureLogNanos;

    IngestVerticle(
            Planner planner,
            PlanBoard board,
            SourceSet sources,
            double tickSeconds,
            RankTotals totals,
            ServiceMetrics metrics,
            LongSupplier nanoClock,
            FrameWatcher watcher) {
        this.planner = planner;
        this.board = board;
        this.sources = sources;
        this.tickMillis = Math.max(1, Math.round(tickSeconds * 1000));
        this.totals = totals;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
        this.watcher = watcher;
    }

    @Override
    public Future<?> start() {
        sources.start(this::wake);
        tick();
        vertx.setPeriodic(tickMillis, timer -> tick());
        return Future.succeededFuture();
    }

    /** Has the sources drained soon; any thread. */
    private void wake() {
        if (awake.compareAndSet(false, true)) {
            context.runOnContext(nothing -> drain());
        }
    }

    private void drain() {
        // Cleared first: a frame that is published after the last look schedules the next one.
        awake.set(false);
        if (sources.drain(BATCH, this::take)) {
            wake();
        }
    }

    private void take(FrameRing.Slot slot) {
        try {
            KvReport report = slot.report();
            if (report != null) {
                planner.onKv(
                        slot.poolIndex(),
                        slot.frame().endpoint(),
                        report,
                        slot.frame().receivedNanos());
            } else if (slot.reject() == null) {
                planner.onFrame(slot.poolIndex(), slot.frame());
                watcher.taken(slot.frame());
            } else {
                planner.onReject(slot.poolIndex(), slot.frame().endpoint(), slot.reject());
            }
        } catch (RuntimeException e) {
            failed("a frame could not be taken in", e);
        }
    }

    private void tick() {
        long startNanos = System.nanoTime();
        try {
            PlanView plan = planner.tick(nanoClock.getAsLong());
            totals.update(plan);
            board.publish(plan);
        } catch (RuntimeException e) {
            // The plan before stays on the board; its age and validUntil tell that it is old.
            failed("no plan could be made", e);
        }
        metrics.tick(System.nanoTime() - startNanos);
    }

    private void failed(String what, RuntimeException cause) {
        metrics.planningFailure();
        long nowNanos = System.nanoTime();
        if (lastFailureLogNanos == 0 || nowNanos - lastFailureLogNanos > FAILURE_LOG_NANOS) {
            lastFailureLogNanos = nowNanos;
            log.atError().setCause(cause).log(what);
        }
    }

    /** What should outlive a restart, as of now; any thread. */
    Future<PlannerMemory> memory() {
        Promise<PlannerMemory> promise = Promise.promise();
        context.runOnContext(nothing -> {
            try {
                promise.complete(planner.memory(nanoClock.getAsLong()));
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }

    /** Whether it was started. */
    boolean isStarted() {
        return context != null;
    }

    /** Tells the planner what replicas the orchestrator knows of, or with null that it is not said any more; any thread. */
    @Override
    public void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet) {
        context.runOnContext(nothing -> planner.supplyFleet(poolIndex, fleet));
    }

    /** Tells the planner how many requests wait in front of a pool; any thread. */
    @Override
    public void supplyQueue(int poolIndex, double requests, long validUntilNanos) {
        context.runOnContext(nothing -> planner.supplyQueue(poolIndex, requests, validUntilNanos));
    }

    /** Tells the planner what requests come, or with null that it is not said any more; any thread. */
    void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        context.runOnContext(nothing -> planner.supplyWorkload(poolIndex, workload));
    }

    /** Tells the planner what requests were measured to see; any thread. */
    Future<ObservationCount> observe(int poolIndex, List<LatencyObservation> observations) {
        Promise<ObservationCount> promise = Promise.promise();
        context.runOnContext(
                nothing -> promise.complete(planner.observe(poolIndex, observations, nanoClock.getAsLong())));
        return promise.future();
    }
}
