/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;

/** What is counted of acting. */
final class ActuationMetrics {
    private final MeterRegistry registry;
    private final AtomicBoolean leads = new AtomicBoolean();

    ActuationMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("fpm_planner.actuation.leader", leads, value -> value.get() ? 1 : 0)
                .description("1 while this planner may change targets, else 0.")
                .register(registry);
    }

    /** Shows a pool's counters from the start, at 0. */
    void pool(String pool) {
        changes(pool, "scaled");
        changes(pool, "dry_run");
        contested(pool);
        for (TargetException.Cause cause : TargetException.Cause.values()) {
            failures(pool, cause);
        }
    }

    private Counter changes(String pool, String result) {
        return Counter.builder("fpm_planner.actuations")
                .description("Changes of a target's replicas: made, or in a dry run told.")
                .tag("pool", pool)
                .tag("result", result)
                .register(registry);
    }

    private Counter failures(String pool, TargetException.Cause cause) {
        return Counter.builder("fpm_planner.actuation.failures")
                .description("Times that a target could not be read or changed.")
                .tag("pool", pool)
                .tag("cause", cause.label())
                .register(registry);
    }

    private Counter contested(String pool) {
        return Counter.builder("fpm_planner.actuation.contested")
                .description("Times that somebody else set other replicas than the planner had.")
                .tag("pool", pool)
                .register(registry);
    }

    void changed(String pool, boolean dryRun) {
        changes(pool, dryRun ? "dry_run" : "scaled").increment();
    }

    void failed(String pool, TargetException.Cause cause) {
        failures(pool, cause).increment();
    }

    void contestedBy(String pool) {
        contested(pool).increment();
    }

    void leads(boolean now) {
        leads.set(now);
    }
}
