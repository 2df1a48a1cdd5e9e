/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;

/** Steps of an engine under a law, for laws that can be asked through an engine only. */
final class Steps {
    private Steps() {}

    private static final int MOST_STEPS = 1_000_000;

    /** All steps of so many equal requests that arrive together. */
    static List<ForwardPassMetrics> of(StepTimeLaw law, int requests, int input, int output) {
        List<ForwardPassMetrics> steps = new ArrayList<>();
        SimulatedEngine engine = engine(law, EngineKind.AGGREGATED, steps);
        for (int i = 0; i < requests; i++) {
            engine.submit(new Request(i, 0, input, 0, output), 0);
        }
        return runDry(engine, steps);
    }

    /** Seconds of the steps of so many requests that decode together, each with so much context at first. */
    static double[] decodes(StepTimeLaw law, int requests, int context, int output) {
        List<ForwardPassMetrics> steps = new ArrayList<>();
        SimulatedEngine engine = engine(law, EngineKind.DECODE_ONLY, steps);
        for (int i = 0; i < requests; i++) {
            engine.submitPrefilled(new Request(i, 0, context, 0, output), 0, 0);
        }
        return runDry(engine, steps).stream()
                .filter(step -> step.scheduled().numDecodeRequests() == requests)
                .mapToDouble(ForwardPassMetrics::wallTimeSeconds)
                .toArray();
    }

    private static SimulatedEngine engine(StepTimeLaw law, EngineKind kind, List<ForwardPassMetrics> steps) {
        EngineListener listener = new EngineListener() {
            @Override
            public void onStep(ForwardPassMetrics metrics, long endNanos) {
                steps.add(metrics);
            }
        };
        EngineSettings settings = EngineSettings.vllm(2048, 256, 4_000_000)
                .withMaxContextTokens(200_000)
                .as(kind, 0);
        return new SimulatedEngine(new RankIdentity("w", 0), settings, law, listener, 0);
    }

    private static List<ForwardPassMetrics> runDry(SimulatedEngine engine, List<ForwardPassMetrics> steps) {
        while (engine.step()) {
            if (steps.size() > MOST_STEPS) {
                throw new IllegalStateException("no end in sight");
            }
        }
        return steps;
    }
}
