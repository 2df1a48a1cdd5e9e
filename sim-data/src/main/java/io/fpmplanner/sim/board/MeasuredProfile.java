/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.policy.EngineProfile;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Runs an idle engine without noise and measures, as an offline profiler does. Threadsafe; measures each point once. */
final class MeasuredProfile implements EngineProfile {
    private final EngineSettings settings;
    private final Supplier<StepTimeLaw> law;
    private final Map<Integer, Double> prefills = new ConcurrentHashMap<>();
    private final Map<Point, Double> steps = new ConcurrentHashMap<>();

    private record Point(int requests, int contextTokens) {}

    MeasuredProfile(EngineSettings settings, Supplier<StepTimeLaw> law) {
        this.settings = settings;
        this.law = law;
    }

    @Override
    public double prefillSeconds(int inputTokens) {
        int possible = settings.maxContextTokens() - 1;
        return prefills.computeIfAbsent(Math.max(1, Math.min(possible, inputTokens)), this::measurePrefill);
    }

    @Override
    public double decodeStepSeconds(int requests, int contextTokens) {
        int context = Math.max(1, Math.min(settings.maxContextTokens() - 3, contextTokens));
        int fitting = Math.max(1, settings.kvCapacityTokens() / (context + 2 * settings.kvBlockTokens()));
        int batch = Math.max(1, Math.min(requests, Math.min(settings.maxSequences(), fitting)));
        return steps.computeIfAbsent(new Point(batch, context), this::measureStep);
    }

    private double measurePrefill(int inputTokens) {
        double[] seconds = new double[1];
        SimulatedEngine engine = engine(EngineKind.PREFILL_ONLY, new EngineListener() {
            @Override
            public void onFirstToken(Request request, long nowNanos) {
                seconds[0] = nowNanos * 1e-9;
            }
        });
        if (engine.submit(new Request(0, 0, inputTokens, 0, 2), 0) != null) {
            throw new IllegalArgumentException("an engine cannot hold a prompt of " + inputTokens + " tokens");
        }
        while (engine.step()) {
            // Until the prompt is done.
        }
        return seconds[0];
    }

    /** The longest of the few steps is the one in which all take part. */
    private double measureStep(Point point) {
        double[] seconds = new double[1];
        SimulatedEngine engine = engine(EngineKind.DECODE_ONLY, new EngineListener() {
            @Override
            public void onStep(ForwardPassMetrics metrics, long endNanos) {
                seconds[0] = Math.max(seconds[0], metrics.wallTimeSeconds());
            }
        });
        for (int i = 0; i < point.requests(); i++) {
            engine.submitPrefilled(new Request(i, 0, point.contextTokens(), 0, 3), 0, 0);
        }
        while (engine.step()) {
            // Until all are done.
        }
        return seconds[0];
    }

    private SimulatedEngine engine(EngineKind kind, EngineListener listener) {
        return new SimulatedEngine(new RankIdentity("profile", 0), settings.as(kind, 0), law.get(), listener, 0);
    }
}
