/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.workload.ArrivalRate;
import io.fpmplanner.sim.workload.LengthDistribution;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What holds for every engine under every load. */
class EngineConservationTest {
    private static final StepTimeLaw LAW = new RooflineLaw(TransformerSpec.LLAMA_3_1_8B, GpuSpec.L40S);

    @Property(tries = 150)
    void every_token_is_computed_once_and_every_request_finishes(
            @ForAll EngineKind kind,
            @ForAll BatchingOrder order,
            @ForAll @IntRange(min = 16, max = 600) int budget,
            @ForAll @IntRange(min = 1, max = 16) int maxSequences,
            @ForAll @IntRange(min = 30, max = 4000) int kvBlocks,
            @ForAll long seed) {
        int kvTokens = kvBlocks * 16;
        EngineSettings settings = EngineSettings.vllm(budget, maxSequences, kvTokens)
                .ordered(order)
                .as(kind, 3_000_000);
        RecordingListener recorded = new RecordingListener();
        SimulatedEngine engine = new SimulatedEngine(
                new RankIdentity("w", 0), settings, new NoisyLaw(LAW, NoisyLaw.Noise.calm(), seed), recorded, 0);

        List<Request> accepted = new ArrayList<>();
        for (Request request : requests(seed)) {
            Refusal refusal = kind == EngineKind.DECODE_ONLY
                    ? engine.submitPrefilled(request, request.arrivalNanos(), request.arrivalNanos())
                    : engine.submit(request, request.arrivalNanos());
            assertThat(engine.kvUsedTokens()).isLessThanOrEqualTo(kvTokens);
            if (refusal == null) {
                accepted.add(request);
            } else {
                assertThat(refusal).isEqualTo(Refusal.KV_TOO_SMALL);
                assertThat(request.inputTokens() + request.outputTokens()).isGreaterThan(kvTokens);
            }
        }
        while (engine.step()) {
            assertThat(engine.kvUsedTokens()).isLessThanOrEqualTo(kvTokens);
            assertThat(engine.steps()).isLessThan(1_000_000);
        }

        assertFinished(kind, recorded, accepted);
        assertTokens(kind, engine, recorded, accepted);
        assertThat(engine.isIdle()).isTrue();
        assertThat(engine.kvUsedTokens()).isZero();
        assertThat(recorded.steps).allSatisfy(step -> {
            ScheduledRequests scheduled = step.scheduled();
            assertThat(scheduled.sumPrefillTokens() + scheduled.numDecodeRequests())
                    .isBetween(1L, (long) budget);
            assertThat(scheduled.numPrefillRequests() + scheduled.numDecodeRequests())
                    .isLessThanOrEqualTo(maxSequences);
        });
    }

    private static void assertFinished(EngineKind kind, RecordingListener recorded, List<Request> accepted) {
        Set<Request> done = new HashSet<>(recorded.firstTokens);
        recorded.logs.forEach(log -> done.add(log.request()));
        assertThat(done).containsExactlyInAnyOrderElementsOf(accepted);
        if (kind != EngineKind.PREFILL_ONLY) {
            assertThat(recorded.logs).hasSameSizeAs(accepted);
        }
        assertThat(recorded.logs).allSatisfy(log -> {
            assertThat(log.firstTokenNanos())
                    .isGreaterThanOrEqualTo(log.request().arrivalNanos());
            assertThat(log.finishNanos()).isGreaterThanOrEqualTo(log.firstTokenNanos());
        });
    }

    /** Prompt tokens once, each output token after the first once; more only where a preemption made it compute again. */
    private static void assertTokens(
            EngineKind kind, SimulatedEngine engine, RecordingListener recorded, List<Request> accepted) {
        long prompts = kind == EngineKind.DECODE_ONLY
                ? 0
                : accepted.stream().mapToLong(Request::inputTokens).sum();
        long outputs = kind == EngineKind.PREFILL_ONLY
                ? 0
                : accepted.stream()
                        .mapToLong(request -> request.outputTokens() - 1)
                        .sum();
        long prefilled = recorded.steps.stream()
                .mapToLong(step -> step.scheduled().sumPrefillTokens())
                .sum();
        long decoded = recorded.steps.stream()
                .mapToLong(step -> step.scheduled().numDecodeRequests())
                .sum();
        if (engine.preemptions() == 0) {
            assertThat(prefilled).isEqualTo(prompts);
            assertThat(decoded).isEqualTo(outputs);
        } else {
            // A recomputation ends with a token of its own, which then is not decoded.
            assertThat(prefilled).isGreaterThanOrEqualTo(prompts);
            assertThat(decoded).isBetween(outputs - engine.preemptions(), outputs);
        }
    }

    @Example
    void equal_seeds_give_equal_records() {
        assertThat(run(11)).isEqualTo(run(11)).isNotEqualTo(run(12));
    }

    private static List<ForwardPassMetrics> run(long seed) {
        RecordingListener recorded = new RecordingListener();
        SimulatedEngine engine = new SimulatedEngine(
                new RankIdentity("w", 0),
                EngineSettings.vllm(512, 16, 20_000),
                new NoisyLaw(LAW, NoisyLaw.Noise.calm(), seed),
                recorded,
                0);
        requests(seed).forEach(request -> engine.submit(request, request.arrivalNanos()));
        while (engine.step()) {
            assertThat(engine.steps()).isLessThan(1_000_000);
        }
        return recorded.steps;
    }

    private static List<Request> requests(long seed) {
        RequestStream stream = new RequestStream(
                ArrivalRate.riseAndFall(0.5, 30, 5),
                LengthDistribution.logNormal(200, 1, 1, 2000),
                LengthDistribution.logNormal(30, 1, 2, 300),
                0,
                seed);
        return Stream.generate(stream::next).limit(60).toList();
    }
}
