/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

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

    /** All steps of so many equal requests that arrive together. */
    static List<ForwardPassMetrics> of(StepTimeLaw law, int requests, int input, int output) {
        List<ForwardPassMetrics> steps = new ArrayList<>();
        SimulatedEngine engine = new SimulatedEngine(
                new RankIdentity("w", 0),
                EngineSettings.vllm(2048, 256, 4_000_000).withMaxContextTokens(200_000),
                law,
                new EngineListener() {
                    @Override
                    public void onStep(ForwardPassMetrics metrics, long endNanos) {
                        steps.add(metrics);
                    }
                },
                0);
        for (int i = 0; i < requests; i++) {
            engine.submit(new Request(i, 0, input, 0, output), 0);
        }
        while (engine.step()) {
            if (steps.size() > 1_000_000) {
                throw new IllegalStateException("no end in sight");
            }
        }
        return steps;
    }

    /** Seconds of the steps of decodes only with all of the requests. */
    static double[] decodes(StepTimeLaw law, int requests, int input, int output) {
        return of(law, requests, input, output).stream()
                .filter(step -> step.scheduled().numPrefillRequests() == 0
                        && step.scheduled().numDecodeRequests() == requests)
                .mapToDouble(ForwardPassMetrics::wallTimeSeconds)
                .toArray();
    }
}
