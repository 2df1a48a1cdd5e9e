/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PlannerMemory;
import io.fpmplanner.service.config.StateSettings;
import io.fpmplanner.service.state.StateKeeper;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was learned, taken to the disk while the service runs and once more when it ends. */
final class SavedState {
    private static final Logger log = LoggerFactory.getLogger(SavedState.class);
    private static final long MEMORY_SECONDS = 2;
    private static final int SAVE_WAITS = 100;
    private static final long SAVE_WAIT_MILLIS = 10;

    private final Vertx vertx;
    private final IngestVerticle ingest;
    private final StateSettings settings;
    private final StateKeeper keeper;
    private final AtomicBoolean saving = new AtomicBoolean();

    /** Of what this verticle learns; the settings must name a directory. */
    SavedState(Vertx vertx, IngestVerticle ingest, StateSettings settings, MeterRegistry registry) {
        this.vertx = vertx;
        this.ingest = ingest;
        this.settings = settings;
        this.keeper = new StateKeeper(settings, registry);
    }

    /** Gives the planner what was learned before, if it can be read; before any frame comes. */
    void restore(Planner planner, long nowNanos) {
        keeper.restore(planner, nowNanos);
    }

    /** A snapshot every few seconds from now on; if the disk is slower than that, as often as it can. */
    void keep() {
        vertx.setPeriodic(Math.round(settings.intervalSeconds() * 1000), timer -> {
            if (saving.compareAndSet(false, true)) {
                ingest.memory()
                        .compose(memory -> vertx.executeBlocking(() -> keeper.save(memory)))
                        .onComplete(saved -> saving.set(false));
            }
        });
    }

    /** What was learned since the last snapshot, when no more frames come. Any thread but an event loop; some seconds at most. */
    void saveLast() {
        if (!ingest.isStarted()) {
            return;
        }
        try {
            PlannerMemory memory = Waiting.await(ingest.memory(), MEMORY_SECONDS);
            for (int i = 0; i < SAVE_WAITS && !saving.compareAndSet(false, true); i++) {
                Thread.sleep(SAVE_WAIT_MILLIS);
            }
            keeper.save(memory);
        } catch (ExecutionException | TimeoutException e) {
            log.atWarn().addKeyValue("why", e).log("the last state could not be saved");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            keeper.close();
        }
    }
}
