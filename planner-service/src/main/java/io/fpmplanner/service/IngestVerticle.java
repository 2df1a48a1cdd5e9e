/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.kv.KvReport;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.core.planner.PoolObserver;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.service.metrics.ServiceMetrics;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.SourceSet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what observes the pools: drains the sources into it, and once a tick looks at each pool and has a plan made of that.
 * Everything but {@link #wake} and what tells the planner something runs on this verticle's event loop.
 */
final class IngestVerticle extends VerticleBase {
    /*
     * Frames must not wait for plans: a tick looks at one pool after the other, between which frames are taken, and the
     * plan is made elsewhere. While a plan takes longer than a tick, ticks are left out.
     */

    /** Frames taken of each source before the next one, and then timers and other tasks of the loop, get their turn. */
    private static final int BATCH = 512;

    private static final long FAILURE_LOG_NANOS = 10_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(IngestVerticle.class);

    private final PoolObserver observer;
    private final PlanningThread planning;
    private final Inputs inputs;
    private final ServiceMetrics metrics;
    private final AtomicBoolean awake = new AtomicBoolean();
    private @Nullable Tick tick;
    private boolean stopped;
    private long lastFailureLogNanos;

    /**
     * What comes in.
     *
     * @param sources of frames
     * @param nanoClock stamps plans, as it does arrivals
     * @param tickSeconds between plans
     * @param watcher shown each frame that was taken
     */
    record Inputs(SourceSet sources, LongSupplier nanoClock, double tickSeconds, FrameWatcher watcher) {}

    IngestVerticle(PoolObserver observer, PlanningThread planning, Inputs inputs, ServiceMetrics metrics) {
        this.observer = observer;
        this.planning = planning;
        this.inputs = inputs;
        this.metrics = metrics;
    }

    /** Completes when the first plan hangs on the board or failed. */
    @Override
    public Future<?> start() {
        inputs.sources().start(this::wake);
        vertx.setPeriodic(Math.max(1, Math.round(inputs.tickSeconds() * 1000)), timer -> tick());
        return tick().transform(first -> Future.succeededFuture());
    }

    /** Begins no further plan: the thread that makes them ends as well. */
    @Override
    public Future<?> stop() {
        stopped = true;
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
        if (inputs.sources().drain(BATCH, this::take)) {
            wake();
        }
    }

    private void take(FrameRing.Slot slot) {
        try {
            KvReport report = slot.report();
            if (report != null) {
                observer.onKv(
                        slot.poolIndex(),
                        slot.frame().endpoint(),
                        report,
                        slot.frame().receivedNanos());
            } else if (slot.reject() == null) {
                observer.onFrame(slot.poolIndex(), slot.frame());
                inputs.watcher().taken(slot.frame());
            } else {
                observer.onReject(slot.poolIndex(), slot.frame().endpoint(), slot.reject());
            }
        } catch (RuntimeException e) {
            failed("a frame could not be taken in", e);
        }
    }

    private Future<?> tick() {
        if (tick != null || stopped) {
            return Future.succeededFuture();
        }
        Tick begun = new Tick(inputs.nanoClock().getAsLong());
        tick = begun;
        Promise<PlanView> plan = Promise.promise();
        look(begun, plan);
        return plan.future().onComplete(done -> {
            tick = null;
            if (done.succeeded()) {
                metrics.tick(begun.elapsedNanos());
            } else if (!stopped) {
                // The plan before stays on the board; its age and validUntil tell that it is old.
                failed("no plan could be made", done.cause());
            }
        });
    }

    /** Looks at the next pool, then lets frames have their turn; after the last one the plan is made. */
    private void look(Tick begun, Promise<PlanView> plan) {
        if (stopped) {
            plan.fail("stopped");
            return;
        }
        if (begun.views() == observer.pools()) {
            begun.plan(planning).onSuccess(this::expect).onComplete(plan);
            return;
        }
        long startNanos = System.nanoTime();
        try {
            begun.add(observer.view(begun.views(), inputs.nanoClock().getAsLong()));
        } catch (RuntimeException e) {
            plan.fail(e);
            return;
        }
        metrics.pause(System.nanoTime() - startNanos);
        context.runOnContext(nothing -> look(begun, plan));
    }

    private void expect(PlanView plan) {
        for (int i = 0; i < observer.pools(); i++) {
            observer.expect(i, plan.pools().get(i).latency());
        }
    }

    private void failed(String what, Throwable cause) {
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
                planning.memory(inputs.nanoClock().getAsLong(), observer.memory())
                        .onComplete(promise);
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
    void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet) {
        context.runOnContext(nothing -> observer.supplyFleet(poolIndex, fleet));
    }

    /** Tells the planner what requests come, or with null that it is not said any more; any thread. */
    void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        context.runOnContext(nothing -> observer.supplyWorkload(poolIndex, workload));
    }
}
