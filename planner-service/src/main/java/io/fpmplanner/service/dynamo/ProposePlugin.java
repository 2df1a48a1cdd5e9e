/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import com.google.protobuf.CodedInputStream;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.http.ServiceView;
import io.fpmplanner.service.keda.UnaryMethods;
import io.fpmplanner.service.keda.WireMessage;
import io.fpmplanner.service.scaler.ScalerSignals;
import io.fpmplanner.service.scaler.Signal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PROPOSE stage of Dynamo's planner, {@code dynamo.planner.plugin.v1.ProposePlugin}. Threadsafe.
 *
 * <p>Answers from the newest plan: SET of what is recommended for each component, or no opinion (ACCEPT) where nothing can be
 * recommended, as the protocol asks of plugins that lack data. What Dynamo observed is not needed: frames come from the pools'
 * own sources.
 */
public final class ProposePlugin implements UnaryMethods {
    private static final String PACKAGE = "dynamo.planner.plugin.v1.";
    private static final Logger log = LoggerFactory.getLogger(ProposePlugin.class);

    private final ServiceView service;
    private final ScalerSignals signals;
    private final ModelPools pools;

    /** Proposes what these signals say. */
    public ProposePlugin(ServiceView service, ScalerSignals signals) {
        this.service = service;
        this.signals = signals;
        this.pools = ModelPools.of(service.config());
        if (!pools.fault().isEmpty()) {
            log.atWarn().addKeyValue("why", pools.fault()).log("proposes nothing to Dynamo");
        }
    }

    /** What is proposed for one component. */
    private record Target(String component, int replicas, String why) {}

    @Override
    public byte @Nullable [] answer(String method, byte[] message) throws IOException {
        return switch (method) {
            case PACKAGE + "ProposePlugin/Propose" -> {
                requireWellFormed(message);
                yield propose();
            }
            // Nothing is to be primed or reset: what is known comes from frames.
            case PACKAGE + "PluginLifecycle/Bootstrap", PACKAGE + "PluginLifecycle/Reset" -> done();
            default -> null;
        };
    }

    private static void requireWellFormed(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            in.skipField(tag);
        }
    }

    private byte[] propose() {
        List<Target> targets = new ArrayList<>();
        Optional<PlanView> plan = service.plan();
        if (plan.isPresent()) {
            pools.prefillOf(plan.get()).flatMap(pool -> target("prefill", pool)).ifPresent(targets::add);
            pools.decodeOf(plan.get()).flatMap(pool -> target("decode", pool)).ifPresent(targets::add);
        }
        return targets.isEmpty() ? accept() : override(targets);
    }

    private Optional<Target> target(String component, PoolPlan pool) {
        return signals.desiredReplicas(pool) instanceof Signal.Known known && !known.held()
                ? Optional.of(new Target(
                        component,
                        (int) known.value(),
                        component + ": " + pool.recommendation().message()))
                : Optional.empty();
    }

    /*
     * ProposeStageResponse{oneof result {AcceptResult accept = 1, OverrideResult override = 2, RejectResult reject = 3},
     * bool final = 4}; OverrideResult{repeated ComponentTarget targets = 1, string reason = 2}; ComponentTarget{string
     * sub_component_type = 1, optional int32 replicas = 3, OverrideType type = 4}, SET being 0.
     */
    private static byte[] accept() {
        return WireMessage.of(out -> out.writeByteArray(1, new byte[0]));
    }

    private static byte[] override(List<Target> targets) {
        byte[] result = WireMessage.of(out -> {
            for (Target target : targets) {
                out.writeByteArray(1, component(target));
            }
            out.writeString(
                    2, String.join("; ", targets.stream().map(Target::why).toList()));
        });
        return WireMessage.of(out -> out.writeByteArray(2, result));
    }

    private static byte[] component(Target target) {
        return WireMessage.of(out -> {
            out.writeString(1, target.component());
            out.writeInt32(3, target.replicas());
        });
    }

    /** {@code BootstrapResponse} and {@code ResetResponse}: {@code ok = 1}. */
    private static byte[] done() {
        return WireMessage.of(out -> out.writeBool(1, true));
    }
}
