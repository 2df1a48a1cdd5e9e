/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Dynamo's planner with {@code optimization_target: throughput}, its default: thresholds on queued prompt tokens and on use
 * of the KV cache, one replica at a time, any engine up and all engines down.
 */
public final class DynamoEasyMode implements Autoscaler {
    /*
     * Public description: ai-dynamo/dynamo, planner documentation and load scaling code. Prefill: queued tokens by context
     * length, up from 1.0 on, down below 0.1. Decode and aggregated: KV tokens scheduled and queued (aggregated: queued
     * prompts too) by capacity, up above 1.0, down below 0.6. No decision while scaling is under way or engines are not heard.
     */
    private static final int INTERVAL_SECONDS = 5;
    private static final double PREFILL_UP = 1.0;
    private static final double PREFILL_DOWN = 0.1;
    private static final double KV_UP = 1.0;
    private static final double KV_DOWN = 0.6;

    private final ScalingTask task;

    public DynamoEasyMode(ScalingTask task) {
        this.task = task;
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
            if (seen.starting() == 0 && seen.ready() > 0 && frames.size() >= seen.ready()) {
                decisions.add(decide(pool, seen.ready(), frames));
            }
        }
        return decisions;
    }

    private static PoolDecision decide(PoolTask pool, int ready, List<ForwardPassMetrics> frames) {
        boolean prefill = pool.engine().kind() == EngineKind.PREFILL_ONLY;
        double highest = frames.stream()
                .mapToDouble(frame -> prefill ? queuedContexts(pool, frame) : kvUse(pool, frame))
                .max()
                .orElseThrow();
        boolean up = prefill ? highest >= PREFILL_UP : highest > KV_UP;
        boolean down = highest < (prefill ? PREFILL_DOWN : KV_DOWN);
        String reason = String.format(
                Locale.ROOT,
                prefill ? "at most %.2f context lengths are queued" : "at most %.2f of the KV cache is asked for",
                highest);
        return new PoolDecision(pool.id(), pool.clip(ready + (up ? 1 : down ? -1 : 0)), reason);
    }

    private static double queuedContexts(PoolTask pool, ForwardPassMetrics frame) {
        return (double) frame.queued().sumPrefillTokens() / pool.engine().maxContextTokens();
    }

    private static double kvUse(PoolTask pool, ForwardPassMetrics frame) {
        long tokens = frame.scheduled().sumDecodeKvTokens() + frame.queued().sumDecodeKvTokens();
        if (pool.engine().kind() == EngineKind.AGGREGATED) {
            tokens += frame.queued().sumPrefillTokens();
        }
        return (double) tokens / pool.engine().kvCapacityTokens();
    }
}
