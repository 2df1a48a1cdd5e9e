/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.workload.Request;
import org.junit.jupiter.api.Test;

/** Speculation, data-parallel ranks, transfers by length, and what the queue fields leave out. */
class EngineFeaturesTest {
    private static final long MILLISECOND = 1_000_000;

    private final RecordingListener recorded = new RecordingListener();

    @Test
    void speculation_brings_the_expected_number_of_tokens_a_step() {
        Speculation speculation = new Speculation(3, 0.7, 0.002);
        SimulatedEngine engine =
                engine(EngineSettings.vllm(512, 8, 40_000).withSpeculation(speculation), batch -> 0.010);
        engine.submit(new Request(1, 0, 10, 0, 20_001), 0);
        runDry(engine);

        // (1 - a^(k+1)) / (1 - a) tokens a step, Leviathan et al. 2023; a per cent is five standard errors here.
        double tokensAStep = (1 - Math.pow(0.7, 4)) / 0.3;
        assertThat(20_000.0 / (engine.steps() - 1)).isCloseTo(tokensAStep, within(0.03));
        ForwardPassMetrics decode = recorded.steps.get(5);
        assertThat(decode.scheduled().numDecodeRequests()).isEqualTo(1);
        assertThat(decode.wallTimeSeconds()).isCloseTo(0.012, within(1e-9));
        assertThat(recorded.logs).hasSize(1);
    }

    @Test
    void drafts_use_the_token_budget_and_never_bring_more_than_was_asked() {
        SimulatedEngine engine = engine(
                EngineSettings.vllm(8, 8, 4096).withSpeculation(new Speculation(5, 1, 0)),
                batch -> batch.totalTokens() * 1e-3);
        engine.submit(new Request(1, 0, 2, 0, 9), 0);
        engine.submit(new Request(2, 0, 2, 0, 9), 0);
        runDry(engine);

        assertThat(recorded.steps)
                .allSatisfy(step -> assertThat(step.wallTimeSeconds()).isLessThanOrEqualTo(0.008 + 1e-12));
        assertThat(recorded.logs).hasSize(2);
    }

    @Test
    void ranks_step_together_at_the_pace_of_the_slowest_and_report_each_for_itself() {
        SimulatedEngine engine =
                engine(EngineSettings.vllm(512, 8, 4096).withRanks(3), batch -> batch.totalTokens() * 1e-3);
        engine.submit(new Request(1, 0, 1, 0, 1), 0); // Occupies the engine while the others arrive.
        engine.submit(new Request(2, 0, 100, 0, 3), 0);
        engine.submit(new Request(3, 0, 40, 0, 3), 0);
        runDry(engine);

        // The second request went to rank 1, the third to rank 2; a step of both takes the time of the longer prompt.
        assertThat(recorded.steps.subList(1, 3))
                .allSatisfy(step -> assertThat(step.wallTimeSeconds()).isCloseTo(0.100, within(1e-9)));
        assertThat(recorded.steps.subList(1, 3))
                .extracting(ForwardPassMetrics::dpRank)
                .containsExactly(1, 2);
        assertThat(recorded.steps.subList(1, 3))
                .extracting(ForwardPassMetrics::counterId)
                .containsExactly(0L, 0L);
        assertThat(recorded.steps)
                .filteredOn(step -> step.dpRank() == 0)
                .as("an idle rank reports nothing")
                .hasSize(1);
    }

    @Test
    void a_longer_context_takes_longer_to_arrive_and_a_later_shorter_one_overtakes_it() {
        KvTransfer link = KvTransfer.over(MILLISECOND, 100_000, 1e9); // 0.1 ms per token.
        SimulatedEngine engine =
                engine(EngineSettings.vllm(512, 8, 4096).as(EngineKind.DECODE_ONLY, link), batch -> 0.001);
        engine.submitPrefilled(new Request(1, 0, 1000, 0, 2), 0, 0);
        engine.submitPrefilled(new Request(2, 0, 100, 0, 2), 0, 0);
        runDry(engine);

        assertThat(recorded.logs).map(log -> log.request().id()).containsExactly(2L, 1L);
        assertThat(recorded.logs).map(RequestLog::finishNanos).containsExactly(12 * MILLISECOND, 102 * MILLISECOND);
    }

    @Test
    void a_blind_sglang_prefill_engine_hides_what_waits() {
        assertThat(queuedAfterFirstStep(BatchingOrder.PREFILL_FIRST, QueueReport.BLIND))
                .isEqualTo(QueuedRequests.NONE);
        assertThat(queuedAfterFirstStep(BatchingOrder.PREFILL_FIRST, QueueReport.COMPLETE)
                        .numPrefillRequests())
                .isEqualTo(1);
        assertThat(queuedAfterFirstStep(BatchingOrder.DECODE_FIRST, QueueReport.BLIND)
                        .numPrefillRequests())
                .isEqualTo(1);
    }

    private QueuedRequests queuedAfterFirstStep(BatchingOrder order, QueueReport report) {
        RecordingListener listener = new RecordingListener();
        EngineSettings settings = EngineSettings.vllm(512, 1, 4096)
                .as(EngineKind.PREFILL_ONLY, 0)
                .ordered(order)
                .withQueueReport(report);
        SimulatedEngine engine = new SimulatedEngine(new RankIdentity("w", 0), settings, batch -> 0.010, listener, 0);
        engine.submit(new Request(1, 0, 600, 0, 5), 0);
        engine.submit(new Request(2, 0, 100, 0, 5), 0);
        engine.step();
        return listener.steps.get(0).queued();
    }

    @Test
    void a_blind_vllm_decode_engine_hides_requests_whose_cache_is_on_its_way() {
        EngineSettings settings = EngineSettings.vllm(512, 4, 4096)
                .as(EngineKind.DECODE_ONLY, 100 * MILLISECOND)
                .withQueueReport(QueueReport.BLIND);
        SimulatedEngine engine = engine(settings, batch -> 0.010);
        engine.submitPrefilled(new Request(1, 0, 100, 0, 5), 0, 0);
        engine.submitPrefilled(new Request(2, 0, 100, 0, 5), 0, 50 * MILLISECOND);
        engine.step();

        assertThat(recorded.steps.get(0).queued()).isEqualTo(QueuedRequests.NONE);
    }

    @Test
    void settings_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> new Speculation(33, 0.5, 0)).hasMessageContaining("draftTokens");
        assertThatThrownBy(() -> new Speculation(3, 1.5, 0)).hasMessageContaining("acceptance");
        assertThatThrownBy(() -> new KvTransfer(-1, 0)).hasMessageContaining("transfer");
        assertThatThrownBy(() -> EngineSettings.vllm(8, 8, 64).withRanks(0)).hasMessageContaining("ranks");
    }

    private SimulatedEngine engine(EngineSettings settings, StepTimeLaw law) {
        return new SimulatedEngine(new RankIdentity("worker", 0), settings, law, recorded, 0);
    }

    private static void runDry(SimulatedEngine engine) {
        while (engine.step()) {
            assertThat(engine.steps()).isLessThan(100_000);
        }
    }
}
