/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.externalmetrics.Quantity;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The answers to KEDA's questions. Metadata of a trigger: {@code pool}, and {@code targetValue}, 1 unless given.
 *
 * <p>A pool of which nothing is known counts as active: KEDA would scale an inactive one to zero.
 */
final class ExternalScaler {
    private static final String POOL = "pool";
    private static final String TARGET = "targetValue";

    private final ServiceView service;
    private final ScalerSignals signals;

    ExternalScaler(ServiceView service, ScalerSignals signals) {
        this.service = service;
        this.signals = signals;
    }

    /** A call that cannot be answered; KEDA logs the message and uses its fallback. */
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final GrpcStatus status;

        Refusal(GrpcStatus status, String message) {
            super(message, null, false, false);
            this.status = status;
        }

        GrpcStatus status() {
            return status;
        }
    }

    byte[] specification(ScaledObjectRef reference) {
        pool(reference);
        return Replies.specification(metricName(reference), target(reference));
    }

    byte[] metrics(ScaledObjectRef reference) {
        Signal signal = signals.desiredReplicas(pool(reference));
        if (signal instanceof Signal.Known known) {
            return Replies.value(metricName(reference), known.value());
        }
        throw new Refusal(GrpcStatus.UNAVAILABLE, signal instanceof Signal.Unknown unknown ? unknown.why() : "unknown");
    }

    boolean active(ScaledObjectRef reference) {
        return !(signals.desiredReplicas(pool(reference)) instanceof Signal.Known known) || known.value() > 0;
    }

    private static String metricName(ScaledObjectRef reference) {
        return "llm-desired-replicas-" + reference.metadata().get(POOL);
    }

    private static double target(ScaledObjectRef reference) {
        String text = reference.metadata().getOrDefault(TARGET, "1");
        try {
            double target = Quantity.parse(text).value().doubleValue();
            if (target > 0) {
                return target;
            }
        } catch (IllegalArgumentException e) {
            throw new Refusal(GrpcStatus.INVALID_ARGUMENT, TARGET + " '" + text + "': " + e.getMessage());
        }
        throw new Refusal(GrpcStatus.INVALID_ARGUMENT, TARGET + " must be above 0, was '" + text + "'");
    }

    private PoolPlan pool(ScaledObjectRef reference) {
        String id = reference.metadata().get(POOL);
        List<PoolPlan> pools = service.plan()
                .map(PlanView::pools)
                .orElseThrow(() -> new Refusal(GrpcStatus.UNAVAILABLE, "the first plan is not made yet"));
        String known = pools.stream().map(PoolPlan::id).limit(20).collect(Collectors.joining(", "));
        if (id == null) {
            throw new Refusal(
                    GrpcStatus.INVALID_ARGUMENT,
                    "the trigger's metadata must name a pool, e.g. pool: chat; there are " + known);
        }
        return pools.stream()
                .filter(pool -> pool.id().equals(id))
                .findFirst()
                .orElseThrow(
                        () -> new Refusal(GrpcStatus.NOT_FOUND, "there is no pool '" + id + "'; there are " + known));
    }
}
