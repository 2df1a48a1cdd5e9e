/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.workload.Request;
import org.junit.jupiter.api.Test;

class SimulatedEngineTest {
    private static final long MILLISECOND = 1_000_000;
    /** 1 ms per scheduled token: times can be checked by hand. */
    private static final StepTimeLaw MILLISECOND_PER_TOKEN = batch -> batch.totalTokens() * 1e-3;

    private final RecordingListener recorded = new RecordingListener();

    @Test
    void a_lone_request_is_prefilled_in_chunks_and_then_decoded() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096));

        assertThat(engine.submit(request(1, 0, 100, 3), 0)).isNull();
        runDry(engine);

        assertThat(recorded.steps)
                .map(ForwardPassMetrics::scheduled)
                .containsExactly(
                        new ScheduledRequests(1, 64, 0, 0, 0, 0, 0),
                        new ScheduledRequests(1, 36, 0, 64, 0, 0, 0),
                        new ScheduledRequests(0, 0, 0, 0, 1, 100, 0),
                        new ScheduledRequests(0, 0, 0, 0, 1, 101, 0));
        RequestLog log = recorded.logs.get(0);
        assertThat(log.ttftSeconds()).isCloseTo(0.100, within(1e-12));
        assertThat(log.itlSeconds()).hasValueCloseTo(0.001, within(1e-12));
    }

    @Test
    void running_decodes_share_the_budget_with_the_next_prompt() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096));
        engine.submit(request(1, 0, 10, 5), 0);
        engine.submit(request(2, 0, 100, 1), 0);

        engine.step();
        engine.step();

        assertThat(recorded.steps.get(0).queued()).isEqualTo(new QueuedRequests(1, 100, 0, 0, 0, 0));
        assertThat(recorded.steps.get(1).scheduled()).isEqualTo(new ScheduledRequests(1, 63, 0, 0, 1, 10, 0));
        assertThat(recorded.steps.get(1).queued()).isEqualTo(QueuedRequests.NONE);
    }

    @Test
    void prefill_first_lets_decodes_stall_and_counts_the_current_token() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096).ordered(BatchingOrder.PREFILL_FIRST));
        engine.submit(request(1, 0, 10, 2), 0);
        engine.submit(request(2, 0, 100, 1), 0);
        runDry(engine);

        assertThat(recorded.steps)
                .map(ForwardPassMetrics::scheduled)
                .containsExactly(
                        new ScheduledRequests(1, 10, 0, 0, 0, 0, 0),
                        new ScheduledRequests(1, 64, 0, 0, 0, 0, 0),
                        new ScheduledRequests(1, 36, 0, 64, 0, 0, 0),
                        new ScheduledRequests(0, 0, 0, 0, 1, 11, 0));
    }

    @Test
    void a_prefix_hit_is_context_and_not_work() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096));
        engine.submit(new Request(1, 0, 50, 30, 1), 0);
        runDry(engine);

        assertThat(recorded.steps)
                .map(ForwardPassMetrics::scheduled)
                .containsExactly(new ScheduledRequests(1, 20, 0, 30, 0, 0, 0));
    }

    @Test
    void the_variance_of_prompts_is_that_of_full_lengths() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096));
        engine.submit(request(1, 0, 1, 1), 0); // occupies the engine while the other two arrive
        engine.submit(request(2, 0, 10, 1), 0);
        engine.submit(request(3, 0, 80, 1), 0);
        engine.step();

        assertThat(recorded.steps.get(0).queued()).isEqualTo(new QueuedRequests(2, 90, 1225, 0, 0, 0));

        engine.step();
        assertThat(recorded.steps.get(1).scheduled()).isEqualTo(new ScheduledRequests(2, 64, 1225, 0, 0, 0, 0));
    }

    @Test
    void a_prefill_only_engine_hands_over_after_the_first_token() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096).as(EngineKind.PREFILL_ONLY, 0));
        engine.submit(request(1, 0, 20, 50), 0);
        engine.submit(request(2, 0, 30, 1), 0);
        runDry(engine);

        assertThat(recorded.firstTokens).map(Request::id).containsExactly(1L, 2L);
        assertThat(recorded.logs).map(log -> log.request().id()).containsExactly(2L);
        assertThat(engine.kvUsedTokens()).isZero();
        assertThatThrownBy(() -> engine.submitPrefilled(request(3, 0, 5, 5), 0, 100 * MILLISECOND))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_decode_only_engine_waits_for_the_transfer_and_reports_it_as_queued_decode() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 4096).as(EngineKind.DECODE_ONLY, 5 * MILLISECOND));
        engine.submitPrefilled(request(1, 0, 20, 11), 0, 0);
        engine.submitPrefilled(request(2, 0, 30, 2), 5 * MILLISECOND, 5 * MILLISECOND);
        engine.advanceTo(6 * MILLISECOND);

        ForwardPassMetrics first = recorded.steps.get(0);
        assertThat(first.scheduled()).isEqualTo(new ScheduledRequests(0, 0, 0, 0, 1, 20, 0));
        assertThat(first.queued()).isEqualTo(new QueuedRequests(0, 0, 0, 1, 30, 0));
        assertThat(first.wallTimeSeconds()).isCloseTo(0.001, within(1e-12));

        runDry(engine);
        assertThat(recorded.logs).hasSize(2);
        // Ten tokens after the first: 5 ms of transfer, ten steps of 1 ms, one of them shared and thus 2 ms.
        assertThat(recorded.logs.get(1).itlSeconds()).hasValueCloseTo(0.0016, within(1e-12));
    }

    @Test
    void a_full_cache_preempts_the_youngest_which_is_computed_again() {
        // Room for 4 blocks of 16: two requests of 30 + 20 tokens do not fit together to their end.
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 64));
        engine.submit(request(1, 0, 30, 20), 0);
        engine.submit(request(2, 0, 30, 20), 0);
        runDry(engine);

        assertThat(engine.preemptions()).isPositive();
        assertThat(recorded.steps).anySatisfy(step -> {
            assertThat(step.queued().numDecodeRequests()).isEqualTo(1);
            assertThat(step.queued().sumDecodeKvTokens()).isZero(); // vLLM zeroes it on preemption
        });
        assertThat(recorded.logs).map(log -> log.request().id()).containsExactly(1L, 2L);
        long prefilled = recorded.steps.stream()
                .mapToLong(step -> step.scheduled().sumPrefillTokens())
                .sum();
        assertThat(prefilled).isGreaterThan(60);
    }

    @Test
    void what_can_never_run_is_refused_with_a_reason() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 1000));

        assertThat(engine.submit(request(1, 0, 32_000, 1000), 0)).isEqualTo(Refusal.CONTEXT_TOO_LONG);
        assertThat(engine.submit(request(2, 0, 900, 200), 0)).isEqualTo(Refusal.KV_TOO_SMALL);
        assertThat(engine.isIdle()).isTrue();
        assertThat(engine.step()).isFalse();
    }

    @Test
    void a_full_queue_refuses() {
        EngineSettings two = EngineSettings.vllm(64, 1, 1024).withMaxQueuedRequests(2);
        SimulatedEngine engine = engine(two);
        engine.submit(request(1, 0, 10, 10), 0);
        engine.submit(request(2, 0, 10, 10), 0);
        engine.submit(request(3, 0, 10, 10), 0);

        assertThat(engine.submit(request(4, 0, 10, 10), 0)).isEqualTo(Refusal.QUEUE_FULL);
    }

    @Test
    void time_does_not_go_back() {
        SimulatedEngine engine = engine(EngineSettings.vllm(64, 8, 1000));
        engine.advanceTo(10);

        assertThatThrownBy(() -> engine.advanceTo(9)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_law_that_stands_still_is_an_error_and_not_a_hang() {
        SimulatedEngine engine =
                new SimulatedEngine(new RankIdentity("w", 0), EngineSettings.vllm(64, 8, 1000), b -> 0, recorded, 0);

        assertThatThrownBy(() -> engine.submit(request(1, 0, 10, 10), 0)).hasMessageContaining("step time");
    }

    @Test
    void settings_are_checked() {
        assertThatThrownBy(() -> EngineSettings.vllm(7, 8, 1000)).hasMessageContaining("maxBatchedTokens");
        assertThatThrownBy(() -> EngineSettings.vllm(8, 0, 1000)).hasMessageContaining("maxSequences");
        assertThatThrownBy(() -> EngineSettings.vllm(8, 8, 15)).hasMessageContaining("kvCapacityTokens");
    }

    private SimulatedEngine engine(EngineSettings settings) {
        return new SimulatedEngine(new RankIdentity("worker", 0), settings, MILLISECOND_PER_TOKEN, recorded, 0);
    }

    private static Request request(long id, long arrivalNanos, int input, int output) {
        return new Request(id, arrivalNanos, input, 0, output);
    }

    private static void runDry(SimulatedEngine engine) {
        while (engine.step()) {
            assertThat(engine.steps()).isLessThan(100_000);
        }
    }
}
