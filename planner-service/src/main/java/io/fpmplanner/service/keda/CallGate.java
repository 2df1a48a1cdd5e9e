/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import io.fpmplanner.service.access.AccessControl;
import io.fpmplanner.service.access.AccessRole;
import io.fpmplanner.service.access.Audit;
import io.fpmplanner.service.access.ClientCertificates;
import io.fpmplanner.service.keda.ExternalScaler.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.Locale;
import java.util.Optional;

/** Lets calls through whose client may read; everything served on the port only reads. One event loop. */
final class CallGate {
    private final AccessControl control;
    private final Audit audit;
    private final MeterRegistry registry;

    CallGate(AccessControl control, Audit audit, MeterRegistry registry) {
        this.control = control;
        this.audit = audit;
        this.registry = registry;
        for (AccessControl.Outcome outcome : AccessControl.Outcome.values()) {
            if (outcome != AccessControl.Outcome.ADMITTED) {
                counter(outcome);
            }
        }
    }

    private Counter counter(AccessControl.Outcome outcome) {
        return Counter.builder("fpm_planner.grpc.refused")
                .description("Calls on the gRPC port that were refused before they were looked at.")
                .tag("reason", outcome.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Returns if the call may go on. */
    void admit(GrpcServerRequest<Buffer, Buffer> request) throws Refusal {
        SocketAddress remote = request.connection().remoteAddress();
        String address = remote == null || remote.hostAddress() == null ? "unknown" : remote.hostAddress();
        String authorization = request.headers().get("authorization");
        AccessControl.Decision decision = control.decide(
                Optional.of(AccessRole.READ),
                new AccessControl.Caller(address, authorization, ClientCertificates.of(request.connection())),
                System.nanoTime());
        if (decision.outcome() == AccessControl.Outcome.ADMITTED) {
            return;
        }
        counter(decision.outcome()).increment();
        Refusal refusal = refusal(decision.outcome());
        if (decision.outcome() != AccessControl.Outcome.UNKNOWN || authorization != null) {
            audit.refused(decision.who(), address, request.fullMethodName(), String.valueOf(refusal.getMessage()));
        }
        throw refusal;
    }

    private static Refusal refusal(AccessControl.Outcome outcome) {
        return switch (outcome) {
            case RATE -> new Refusal(GrpcStatus.RESOURCE_EXHAUSTED, "too many calls or wrong tokens");
            case UNKNOWN ->
                new Refusal(
                        GrpcStatus.UNAUTHENTICATED,
                        "say who you are: a client certificate, or metadata authorization: Bearer TOKEN");
            case ROLE -> new Refusal(GrpcStatus.PERMISSION_DENIED, "this needs the role " + AccessRole.READ);
            default -> new Refusal(GrpcStatus.PERMISSION_DENIED, "this address may not call here");
        };
    }
}
