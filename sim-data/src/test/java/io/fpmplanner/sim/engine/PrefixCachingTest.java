/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.workload.PrefixBlocks;
import io.fpmplanner.sim.workload.RandomVariates;
import io.fpmplanner.sim.workload.Request;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PrefixCachingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final StepTimeLaw LAW = batch -> 0.010;

    private final RecordingListener recorded = new RecordingListener();

    @Test
    void a_prompt_seen_before_is_computed_from_its_first_new_block_on() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 4096));
        engine.submit(request(1, 100, 2, 32, 7, 8, 9), 0);
        runDry(engine);
        engine.submit(request(2, 100, 2, 32, 7, 8, 5), SECOND);
        runDry(engine);

        assertThat(prefills()).containsExactly(prefill(100, 0), prefill(36, 64));
        assertThat(engine.kvUsedTokens()).isZero();
    }

    @Test
    void the_last_token_of_a_known_prompt_is_computed_all_the_same() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 4096));
        engine.submit(request(1, 64, 2, 32, 7, 8), 0);
        runDry(engine);
        engine.submit(request(2, 64, 2, 32, 7, 8), SECOND);
        runDry(engine);

        // Of two full blocks the second would leave nothing to compute.
        assertThat(prefills()).containsExactly(prefill(64, 0), prefill(32, 32));
    }

    @Test
    void what_runs_shares_its_blocks() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 4096));
        engine.submit(request(1, 320, 50, 32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0);
        engine.step();
        engine.submit(request(2, 320, 50, 32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11), engine.nextEventNanos() - 1);
        engine.step();
        engine.step();

        // 320 + some tokens and 32 + some of the other, not twice 320.
        assertThat(engine.kvUsedTokens()).isBetween(352, 352 + 48);
    }

    @Test
    void without_caching_everything_is_computed() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 4096).withPrefixCaching(false));
        engine.submit(request(1, 100, 2, 32, 7, 8, 9), 0);
        runDry(engine);
        engine.submit(request(2, 100, 2, 32, 7, 8, 9), SECOND);
        runDry(engine);

        assertThat(prefills()).containsExactly(prefill(100, 0), prefill(100, 0));
    }

    @Test
    void blocks_unused_for_longest_give_way_first_and_ends_before_beginnings() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 256)); // 16 KV blocks, 8 hashed ones.
        engine.submit(request(1, 97, 1, 32, 1, 2, 3), 0); // Leaves three hashed blocks behind.
        runDry(engine);
        engine.submit(request(2, 97, 1, 32, 4, 5, 6), SECOND); // And three more.
        runDry(engine);
        engine.submit(request(3, 97, 1, 32, 1, 2, 9), 2 * SECOND); // Uses two of the first again, and adds one.
        runDry(engine);
        engine.submit(request(4, 97, 1, 32, 21, 22, 23), 3 * SECOND); // Room for one is left, the rest must be made.
        runDry(engine);
        engine.submit(request(5, 97, 1, 32, 4, 5, 6), 4 * SECOND);
        runDry(engine);
        engine.submit(request(6, 97, 1, 32, 1, 2, 3), 5 * SECOND);
        runDry(engine);

        assertThat(prefills().subList(2, 4)).containsExactly(prefill(33, 64), prefill(97, 0));
        // 3 and 6 went, then perhaps 5; 4 is the beginning of its prefix and stays longest.
        assertThat(prefills().get(4).sumPrefillKvTokens()).isBetween(32L, 64L);
        assertThat(prefills().get(5).sumPrefillKvTokens()).isBetween(0L, 64L);
    }

    @Test
    void the_router_sees_where_a_prefix_is() {
        SimulatedEngine engine = engine(EngineSettings.vllm(512, 8, 4096));
        Request known = request(1, 100, 2, 32, 7, 8, 9);
        assertThat(engine.routingCostTokens(known, 0)).isEqualTo(100);
        engine.submit(known, 0);
        runDry(engine);

        assertThat(engine.routingCostTokens(known, 0)).isEqualTo(100 - 96);
    }

    /** Random prompts over few hashes in a small cache: nothing is lost, nothing is held twice, all ends. */
    @Property(tries = 100)
    void blocks_are_conserved(
            @ForAll BatchingOrder order,
            @ForAll @IntRange(min = 8, max = 64) int kvBlocks,
            @ForAll @IntRange(min = 1, max = 4) int ranks,
            @ForAll long seed) {
        RecordingListener seen = new RecordingListener();
        SimulatedEngine engine = new SimulatedEngine(
                new RankIdentity("w", 0),
                EngineSettings.vllm(128, 8, kvBlocks * 16).ordered(order).withRanks(ranks),
                LAW,
                seen,
                0);
        RandomVariates variates = new RandomVariates(seed);
        List<Long> accepted = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int blocks = 1 + (int) (variates.uniform() * 6);
            long[] hashes = new long[blocks];
            long hash = 0;
            for (int b = 0; b < blocks; b++) {
                hash = 10 * hash + 1 + (long) (variates.uniform() * 2);
                hashes[b] = hash;
            }
            Request request = request(
                    i, blocks * 16 + (int) (variates.uniform() * 40), 1 + (int) (variates.uniform() * 30), 16, hashes);
            if (engine.submit(request, i * 4_000_000L) == null) {
                accepted.add(request.id());
            }
            assertThat(engine.kvUsedTokens()).isBetween(0, ranks * kvBlocks * 16);
        }
        while (engine.step()) {
            assertThat(engine.kvUsedTokens()).isBetween(0, ranks * kvBlocks * 16);
            assertThat(engine.steps()).isLessThan(100_000);
        }
        assertThat(seen.logs).map(log -> log.request().id()).containsExactlyInAnyOrderElementsOf(accepted);
        assertThat(engine.kvUsedTokens()).isZero();
        assertThat(engine.isIdle()).isTrue();
    }

    private List<ScheduledRequests> prefills() {
        return recorded.steps.stream()
                .map(ForwardPassMetrics::scheduled)
                .filter(scheduled -> scheduled.numPrefillRequests() > 0)
                .toList();
    }

    private static ScheduledRequests prefill(int tokens, int context) {
        return new ScheduledRequests(1, tokens, 0, context, 0, 0, 0);
    }

    private SimulatedEngine engine(EngineSettings settings) {
        return new SimulatedEngine(new RankIdentity("worker", 0), settings, LAW, recorded, 0);
    }

    private static Request request(long id, int input, int output, int blockTokens, long... hashes) {
        return new Request(id, 0, input, 0, output, PrefixBlocks.of(blockTokens, hashes));
    }

    private static void runDry(SimulatedEngine engine) {
        while (engine.step()) {
            assertThat(engine.steps()).isLessThan(100_000);
        }
    }
}
