/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fpmplanner.sim.engine.EngineListener;
import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.engine.RequestLog;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.workload.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The H100 law against serving points measured by others on an H100: Llama-3.1-8B on one GPU, fixed lengths, a fixed number of
 * requests always inside. Nothing of the law was fitted to them, and the engine was TensorRT-LLM, so kernels differ a little.
 */
class H100MeasurementsTest {
    private static final int DEFAULT_MAX_BATCHED_TOKENS = 8192; // TensorRT-LLM's max_num_tokens.
    private static final int ROUNDS = 10;

    private record Point(int concurrency, int input, int output, double ttftSeconds, double tpotSeconds) {}

    @Test
    void measured_serving_points_are_met() throws IOException {
        Path data =
                Path.of(System.getProperty("fpm.shared.data", "absent"), "e2e", "aiconfigurator_silicon_sample.csv");
        assumeTrue(Files.isReadable(data), "SKIPPED: no measured serving points at " + data);
        List<Point> points = Files.readAllLines(data).stream()
                .map(line -> line.split(",", -1))
                .filter(cells -> cells[4].equals("meta-llama/Llama-3.1-8B-Instruct"))
                .filter(cells -> cells[5].equals("h100_sxm") && cells[13].equals("1"))
                .map(H100MeasurementsTest::point)
                .toList();
        StepTimeLaw law = new KernelLaw(KernelProfile.H100_LLAMA_8B, ServingOverhead.singleGpu(0.5e-3, 0));

        double[] tpotErrors = new double[points.size()];
        double[] ttftErrors = new double[points.size()];
        for (int i = 0; i < points.size(); i++) {
            Point measured = points.get(i);
            Point simulated = simulate(law, measured);
            tpotErrors[i] = Math.abs(simulated.tpotSeconds() / measured.tpotSeconds() - 1);
            ttftErrors[i] = simulated.ttftSeconds() / measured.ttftSeconds() - 1;
        }
        Arrays.sort(tpotErrors);
        Arrays.sort(ttftErrors);
        int count = points.size();
        System.out.printf(
                "%d points of an H100: TPOT off by %.1f %% in the median and %.1f %% at p90, TTFT by %+.1f %% in the median%n",
                count, 100 * tpotErrors[count / 2], 100 * tpotErrors[9 * count / 10], 100 * ttftErrors[count / 2]);
        assertThat(count).isGreaterThan(30);
        assertThat(tpotErrors[count / 2]).isLessThan(0.05);
        assertThat(tpotErrors[9 * count / 10]).isLessThan(0.10);
        assertThat(ttftErrors[count / 2]).isBetween(-0.25, 0.25);
    }

    private static Point point(String[] cells) {
        int last = cells.length - 1;
        return new Point(
                Integer.parseInt(cells[12]),
                Integer.parseInt(cells[8]),
                Integer.parseInt(cells[9]),
                Double.parseDouble(cells[last - 1]) * 1e-3,
                Double.parseDouble(cells[last]) * 1e-3);
    }

    /** The means over ten rounds in which each request that ends is followed by another. */
    private static Point simulate(StepTimeLaw law, Point point) {
        List<RequestLog> ended = new ArrayList<>();
        EngineListener listener = new EngineListener() {
            @Override
            public void onFinished(RequestLog log) {
                ended.add(log);
            }
        };
        EngineSettings settings = EngineSettings.vllm(DEFAULT_MAX_BATCHED_TOKENS, point.concurrency(), 420_000);
        SimulatedEngine engine = new SimulatedEngine(new RankIdentity("h100", 0), settings, law, listener, 0);
        int submitted = 0;
        while (ended.size() < ROUNDS * point.concurrency()) {
            while (submitted < ended.size() + point.concurrency()) {
                int before = submitted - point.concurrency();
                long nowNanos = before < 0 ? 0 : ended.get(before).finishNanos();
                engine.submit(new Request(submitted++, nowNanos, point.input(), 0, point.output()), nowNanos);
            }
            engine.step();
        }
        return new Point(
                point.concurrency(),
                point.input(),
                point.output(),
                ended.stream().mapToDouble(RequestLog::ttftSeconds).average().orElseThrow(),
                ended.stream()
                        .flatMapToDouble(log -> log.itlSeconds().stream())
                        .average()
                        .orElseThrow());
    }
}
