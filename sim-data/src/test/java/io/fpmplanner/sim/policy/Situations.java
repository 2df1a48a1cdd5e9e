/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Situations for policies to decide in. */
final class Situations {
    static final long SECOND = 1_000_000_000L;
    static final String POOL = "agg";

    private Situations() {}

    /** One pool of at most ten engines, cold start 30 s, an engine that takes 0.1 ms a prompt token and 1 ms a decode. */
    static ScalingTask task(EngineKind kind) {
        EngineSettings engine = EngineSettings.vllm(512, 128, 100_000).as(kind, 0);
        return new ScalingTask(
                new LatencyObjective(2, 0.05), List.of(new PoolTask(POOL, engine, 1, 1, 10, 30)), new EngineProfile() {
                    @Override
                    public double prefillSeconds(int inputTokens) {
                        return inputTokens * 1e-4;
                    }

                    @Override
                    public double decodeStepSeconds(int requests, int contextTokens) {
                        return 0.010 + 0.001 * requests;
                    }
                });
    }

    static FleetObservation waiting(int second, int ready, int starting, int waiting) {
        PoolObservation pool =
                new PoolObservation(POOL, ready, starting, 0, Optional.of(new PoolObservation.Load(0, waiting)));
        return new FleetObservation(second * SECOND, List.of(pool), Optional.empty(), List.of());
    }

    static FleetObservation dark(int second, int ready) {
        PoolObservation pool = new PoolObservation(POOL, ready, 0, 0, Optional.empty());
        return new FleetObservation(second * SECOND, List.of(pool), Optional.empty(), List.of());
    }

    /** {@code rate} requests/s of 1,000 + 100 tokens over 15 s. */
    static FleetObservation traffic(int second, int ready, int starting, double rate) {
        PoolObservation pool =
                new PoolObservation(POOL, ready, starting, 0, Optional.of(new PoolObservation.Load(1, 0)));
        long count = Math.round(15 * rate);
        FrontEndWindow window = new FrontEndWindow(
                15, count, count * 1000, count, count * 100, OptionalDouble.of(0.1), OptionalDouble.of(0.02));
        return new FleetObservation(second * SECOND, List.of(pool), Optional.of(window), List.of());
    }

    static FleetObservation frames(int second, int ready, int starting, List<ForwardPassMetrics> newest) {
        List<PublishedFrame> frames = new ArrayList<>();
        for (ForwardPassMetrics frame : newest) {
            frames.add(new PublishedFrame(POOL, "tcp://x:1", second, second * SECOND, frame));
        }
        PoolObservation pool =
                new PoolObservation(POOL, ready, starting, 0, Optional.of(new PoolObservation.Load(1, 0)));
        return new FleetObservation(second * SECOND, List.of(pool), Optional.empty(), frames);
    }

    /** A step with prompt tokens of one request, so many decodes of 1,000 tokens each, and queued prompt tokens. */
    static ForwardPassMetrics step(String worker, int promptTokens, int decodes, int queuedTokens) {
        double seconds = 0.005 + 1e-4 * promptTokens + 1e-6 * 1000 * decodes;
        return new ForwardPassMetrics(
                worker,
                0,
                0,
                null,
                seconds,
                new ScheduledRequests(promptTokens == 0 ? 0 : 1, promptTokens, 0, 0, decodes, 1000L * decodes, 0),
                new QueuedRequests(queuedTokens == 0 ? 0 : 1, queuedTokens, 0, 0, 0, 0));
    }
}
