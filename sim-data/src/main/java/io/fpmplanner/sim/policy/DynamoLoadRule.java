/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dynamo's load-based scaling with {@code optimization_target: sla}: predicts TTFT and ITL of each engine's next request from
 * its newest frame, adds one replica when all engines would miss, takes one away when all would still meet with one less.
 */
public final class DynamoLoadRule implements Autoscaler {
    /*
     * Public description: ai-dynamo/dynamo, planner documentation and load scaling code of versions 1.0 to 1.2. One look in
     * 5 s at the newest record of each engine, which both trains and decides; sensitivity 0.8 for scaling down; no
     * decision while scaling is under way or an engine is not heard. Discovery would take draining engines out of the
     * comparison; here their frames take part until they are gone.
     */
    private static final int INTERVAL_SECONDS = 5;

    private final ScalingTask task;
    private final Map<String, DynamoPoolEstimate> estimates = new LinkedHashMap<>();

    public DynamoLoadRule(ScalingTask task) {
        this.task = task;
        task.pools().forEach(pool -> estimates.put(pool.id(), DynamoPoolEstimate.of(pool, task.objective())));
    }

    @Override
    public int intervalSeconds() {
        return INTERVAL_SECONDS;
    }

    @Override
    public boolean readsFrames() {
        return true;
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        List<PoolDecision> decisions = new ArrayList<>();
        for (int i = 0; i < task.pools().size(); i++) {
            PoolTask pool = task.pools().get(i);
            PoolObservation seen = observation.pools().get(i);
            List<ForwardPassMetrics> frames = NewestFrames.of(observation, pool.id());
            DynamoPoolEstimate estimate = estimates.get(pool.id());
            if (estimate == null) {
                continue;
            }
            frames.forEach(estimate::observe);
            if (seen.starting() == 0 && seen.ready() > 0 && frames.size() >= seen.ready()) {
                int ready = seen.ready();
                estimate.change(frames, ready, pool.minReplicas())
                        .ifPresent(change -> decisions.add(
                                new PoolDecision(pool.id(), pool.clip(ready + change.by()), change.reason())));
            }
        }
        return decisions;
    }
}
