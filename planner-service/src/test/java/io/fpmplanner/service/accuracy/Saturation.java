/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.fleet.Fleet;
import io.fpmplanner.sim.fleet.FleetListener;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.Request;

/** What a simulated fleet completes when it never runs out of requests. */
final class Saturation implements FleetListener {
    private static final double ABOVE = 200;
    private static final long SECOND = 1_000_000_000L;

    private long prefilled;
    private long finished;

    private Saturation() {}

    /** Requests per second of a scenario's fleet. */
    static double requestsPerSecond(Scenario scenario) {
        Saturation counts = new Saturation();
        StepChannel nowhere = new StepChannel() {
            @Override
            public void publish(ForwardPassMetrics metrics, long endNanos) {}

            @Override
            public void close() {}
        };
        try (Fleet fleet = new Fleet(
                scenario.fleet(ArrivalRate.constant(ABOVE), 7), (pool, slot, identity, now) -> nowhere, counts)) {
            fleet.advanceTo(60 * SECOND);
            long before = counts.done(scenario);
            fleet.advanceTo(160 * SECOND);
            return (counts.done(scenario) - before) / 100.0;
        }
    }

    private long done(Scenario scenario) {
        return scenario.isPair() ? Math.min(prefilled, finished) : finished;
    }

    @Override
    public void onFirstToken(String poolId, Request request, long nowNanos) {
        prefilled++;
    }

    @Override
    public void onFinished(String poolId, RequestLog log) {
        finished++;
    }
}
