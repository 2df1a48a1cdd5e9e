/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;

/** Keeps all it is told. */
final class RecordingListener implements EngineListener {
    final List<ForwardPassMetrics> steps = new ArrayList<>();
    final List<Request> firstTokens = new ArrayList<>();
    final List<RequestLog> logs = new ArrayList<>();

    @Override
    public void onStep(ForwardPassMetrics metrics, long endNanos) {
        steps.add(metrics);
    }

    @Override
    public void onFirstToken(Request request, long nowNanos) {
        firstTokens.add(request);
    }

    @Override
    public void onFinished(RequestLog log) {
        logs.add(log);
    }
}
