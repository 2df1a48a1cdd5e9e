/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.sim.policy.Autoscaler;
import io.fpmplanner.sim.policy.FleetObservation;
import io.fpmplanner.sim.policy.PoolDecision;
import io.fpmplanner.sim.policy.PoolObservation;
import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.policy.ScalingTask;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.WireDialect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The planner that serves, as one policy of the board: it is given the bytes that engines publish and the orchestrator's
 * count of replicas, and its recommendation is followed. Not threadsafe.
 */
final class PlannerAutoscaler implements Autoscaler {
    private final List<PoolSettings> pools;
    private final List<String> ids;
    private final Planner planner;
    private final FrameSampling sampling;
    private final ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();

    /** A planner that starts cold. */
    PlannerAutoscaler(ScalingTask task, FrameSampling sampling) {
        this(PoolSettingsOfTask.of(task), sampling);
    }

    /** A planner of given settings, for pools of the task's ids. */
    PlannerAutoscaler(List<PoolSettings> settings, FrameSampling sampling) {
        this.pools = settings;
        this.ids = pools.stream().map(PoolSettings::id).toList();
        this.planner = new Planner(pools);
        this.sampling = sampling;
    }

    @Override
    public boolean readsFrames() {
        return true;
    }

    @Override
    public int intervalSeconds() {
        return sampling.intervalSeconds();
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        for (PublishedFrame published : sampling.select(observation.frames())) {
            feed(published);
        }
        for (PoolObservation pool : observation.pools()) {
            planner.supplyFleet(ids.indexOf(pool.id()), pool.ready(), pool.starting());
        }
        PlanView plan = planner.tick(observation.nowNanos());
        List<PoolDecision> decisions = new ArrayList<>();
        for (PoolPlan pool : plan.pools()) {
            Recommendation advice = pool.recommendation();
            advice.desired()
                    .ifPresent(desired -> decisions.add(new PoolDecision(pool.id(), desired, sentence(advice))));
        }
        return decisions;
    }

    private static String sentence(Recommendation advice) {
        return advice.reason() + ": " + advice.message();
    }

    private void feed(PublishedFrame published) {
        byte[] payload = encoder.encode(published.metrics());
        int pool = ids.indexOf(published.poolId());
        @Nullable RejectReason rejected = decoder.decode(payload, 0, payload.length, frame);
        if (rejected != null) {
            planner.observer().onReject(pool, published.endpoint(), rejected);
            return;
        }
        planner.onFrame(pool, frame.arrival(published.endpoint(), published.sequence(), published.publishedNanos()));
    }
}
