/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.state;

import io.fpmplanner.core.planner.PlannerMemory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** How keeping the state goes. Threadsafe. */
final class StateMetrics {
    private final MeterRegistry registry;
    private final Counter saved;
    private final Counter failed;
    private volatile long savedNanos = System.nanoTime();
    private volatile long bytes;

    StateMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.saved = counter("saved");
        this.failed = counter("failed");
        Gauge.builder("fpm_planner.state.age.seconds", () -> (System.nanoTime() - savedNanos) / 1e9)
                .description("Time since the state was saved last, or since the start.")
                .register(registry);
        Gauge.builder("fpm_planner.state.bytes", () -> bytes)
                .description("Size of the state saved last.")
                .register(registry);
    }

    private Counter counter(String result) {
        return Counter.builder("fpm_planner.state.saves")
                .description("Attempts to save the state.")
                .tag("result", result)
                .register(registry);
    }

    void saved(long size) {
        saved.increment();
        bytes = size;
        savedNanos = System.nanoTime();
    }

    void failed() {
        failed.increment();
    }

    void restored(List<PlannerMemory.Outcome> outcomes) {
        for (PlannerMemory.Outcome outcome : PlannerMemory.Outcome.values()) {
            int pools = Collections.frequency(outcomes, outcome);
            Gauge.builder("fpm_planner.state.restored.pools", () -> pools)
                    .description("Pools by what became of their state at the start.")
                    .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }
}
