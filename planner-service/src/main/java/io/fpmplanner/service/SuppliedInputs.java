/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.latency.LatencyObservation;
import io.fpmplanner.core.latency.ObservationCount;
import io.fpmplanner.core.pool.SuppliedFleet;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.pool.SuppliedWorkload;
import io.fpmplanner.service.history.History;
import io.fpmplanner.service.scaling.OrchestratorInput;
import io.fpmplanner.service.whatif.PlannerInput;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What clients and orchestrators say, each taken to the thread that it belongs to; what requests saw is kept for people too.
 * Threadsafe.
 */
final class SuppliedInputs implements OrchestratorInput, PlannerInput {
    private final IngestVerticle ingest;
    private final PlanningThread planning;
    private final History history;
    private final LongSupplier clock;

    SuppliedInputs(IngestVerticle ingest, PlanningThread planning, History history, LongSupplier clock) {
        this.ingest = ingest;
        this.planning = planning;
        this.history = history;
        this.clock = clock;
    }

    @Override
    public void supplyFleet(int poolIndex, @Nullable SuppliedFleet fleet) {
        ingest.supplyFleet(poolIndex, fleet);
    }

    @Override
    public void supplyQueue(int poolIndex, double requests, long validUntilNanos) {
        planning.supplyQueue(poolIndex, requests, validUntilNanos);
    }

    @Override
    public void supplyForecast(int poolIndex, @Nullable SuppliedForecast forecast) {
        planning.supplyForecast(poolIndex, forecast);
    }

    @Override
    public void supplyWorkload(int poolIndex, @Nullable SuppliedWorkload workload) {
        ingest.supplyWorkload(poolIndex, workload);
    }

    @Override
    public Future<ObservationCount> observe(int poolIndex, List<LatencyObservation> observations) {
        history.observed(poolIndex, observations, clock.getAsLong());
        return planning.observe(poolIndex, observations, clock.getAsLong());
    }
}
