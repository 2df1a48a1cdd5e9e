/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.workload.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One real run beside its simulation: the same requests at the same times on an engine with the same settings. Immutable.
 *
 * @param run where the log lies
 * @param platform the kernel times used, for people
 * @param requests requests in the log, all of which were served
 * @param ttft time to first token from arrival
 * @param tpot time per output token after the first
 * @param realMakespanSeconds from the first arrival to the last token
 * @param simulatedMakespanSeconds the same
 * @param simulatedPreemptions how often the simulated engine took a KV cache away
 */
public record LogComparison(
        String run,
        String platform,
        int requests,
        Deviation ttft,
        Deviation tpot,
        double realMakespanSeconds,
        double simulatedMakespanSeconds,
        long simulatedPreemptions) {
    /**
     * Reads a run and simulates it.
     *
     * @param directory holds {@code requests.jsonl} and {@code meta.json}; its parent is named after the GPU
     * @throws IOException when the log cannot be read or nothing is known of its GPU and model
     */
    public static LogComparison of(Path directory) throws IOException {
        ServingLog log = ServingLog.read(directory);
        RunPlatform platform = RunPlatform.of(log);
        Replay replay = new Replay();
        SimulatedEngine engine =
                new SimulatedEngine(new RankIdentity("replay", 0), platform.settings(log), platform.law(), replay, 0);
        for (int i = 0; i < log.requests().size(); i++) {
            ServedRequest served = log.requests().get(i);
            long arrivalNanos = Math.round(served.arrivalSeconds() * 1e9);
            Request request = new Request(i, arrivalNanos, served.inputTokens(), 0, served.outputTokens());
            if (engine.submit(request, arrivalNanos) != null) {
                throw new IOException(directory + ": the simulated engine refuses request " + i + " of "
                        + served.inputTokens() + " + " + served.outputTokens() + " tokens");
            }
        }
        while (engine.step()) {
            // Nothing arrives any more; each step brings the end nearer.
        }
        return compare(log, platform, replay, engine.preemptions());
    }

    private static LogComparison compare(ServingLog log, RunPlatform platform, Replay replay, long preemptions) {
        List<ServedRequest> real = log.requests();
        List<RequestLog> simulated = replay.logs;
        Deviation ttft = Deviation.of(
                real.stream().mapToDouble(ServedRequest::ttftSeconds).toArray(),
                simulated.stream().mapToDouble(RequestLog::ttftSeconds).toArray());
        Deviation tpot = Deviation.of(
                real.stream()
                        .filter(request -> request.outputTokens() > 1)
                        .mapToDouble(ServedRequest::tpotSeconds)
                        .toArray(),
                simulated.stream()
                        .flatMapToDouble(finished -> finished.itlSeconds().stream())
                        .toArray());
        int names = log.directory().getNameCount();
        return new LogComparison(
                log.directory().subpath(Math.max(0, names - 2), names).toString(),
                platform.name(),
                real.size(),
                ttft,
                tpot,
                real.stream().mapToDouble(ServedRequest::lastTokenSeconds).max().orElse(0),
                simulated.stream().mapToLong(RequestLog::finishNanos).max().orElse(0) * 1e-9,
                preemptions);
    }

    private static final class Replay implements EngineListener {
        private final List<RequestLog> logs = new ArrayList<>();

        @Override
        public void onStep(ForwardPassMetrics metrics, long endNanos) {}

        @Override
        public void onFinished(RequestLog log) {
            logs.add(log);
        }
    }
}
