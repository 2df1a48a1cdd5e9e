/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import io.fpmplanner.service.dynamo.Registration.Ask;
import io.fpmplanner.service.dynamo.Registration.Result;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** What is counted of the registration with Dynamo's planner. */
final class RegistryMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger registered = new AtomicInteger();

    RegistryMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("fpm_planner.dynamo.registered", registered, AtomicInteger::doubleValue)
                .description("1 while the plugin is registered with Dynamo's planner, as far as is known.")
                .register(registry);
        for (Ask ask : Ask.values()) {
            for (Result result : Result.values()) {
                calls(ask, result);
            }
        }
    }

    private Counter calls(Ask ask, Result result) {
        return Counter.builder("fpm_planner.dynamo.registry.calls")
                .description("Calls of the registry of Dynamo's planner.")
                .tag("call", ask.name().toLowerCase(Locale.ROOT))
                .tag("result", result.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    void called(Ask ask, Result result) {
        calls(ask, result).increment();
    }

    void isRegistered(boolean now) {
        registered.set(now ? 1 : 0);
    }
}
