/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the TLS listener counts. */
final class ListenerMetrics {
    private final MeterRegistry registry;
    private final AtomicLong notAfterSeconds = new AtomicLong();
    private final Counter handshakes;

    ListenerMetrics(MeterRegistry registry) {
        this.registry = registry;
        TimeGauge.builder(
                        "fpm_planner.serving.certificate.not.after.timestamp",
                        notAfterSeconds,
                        TimeUnit.SECONDS,
                        AtomicLong::doubleValue)
                .description("When the serving certificate of the external metrics API expires, Unix time.")
                .register(registry);
        handshakes = Counter.builder("fpm_planner.external.metrics.handshakes.failed")
                .description(
                        "Connections that ended in the handshake, such as by clients that do not believe the certificate.")
                .register(registry);
        for (ClientCheck.Refusal refusal : ClientCheck.Refusal.values()) {
            refusals(refusal.label());
        }
        reloads("success");
        reloads("failure");
    }

    private Counter refusals(String reason) {
        return Counter.builder("fpm_planner.external.metrics.refused")
                .description("Requests to the external metrics listener refused for their client.")
                .tag("reason", reason)
                .register(registry);
    }

    private Counter reloads(String result) {
        return Counter.builder("fpm_planner.certificate.reloads")
                .description("Changed certificates or authorities taken over, and attempts that failed.")
                .tag("result", result)
                .register(registry);
    }

    void refused(ClientCheck.Refusal refusal) {
        refusals(refusal.label()).increment();
    }

    void handshakeFailed() {
        handshakes.increment();
    }

    void reloaded(boolean success) {
        reloads(success ? "success" : "failure").increment();
    }

    void expires(Instant notAfter) {
        notAfterSeconds.set(notAfter.getEpochSecond());
    }
}
