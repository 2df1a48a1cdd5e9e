/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.fleet.PoolSpec.Replicas;
import io.fpmplanner.sim.workload.PrefixBlocks;
import io.fpmplanner.sim.workload.RandomVariates;
import io.fpmplanner.sim.workload.Request;
import io.fpmplanner.sim.workload.RequestSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forty conversations of eight blocks each over four replicas, whose caches hold a quarter of them each. */
class PrefixRoutingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int REQUESTS = 800;

    private long prefilledTokens;
    private final List<Integer> ranks = new ArrayList<>();

    @Test
    void requests_go_where_their_prefix_is() {
        long blind = run(Router.ROUND_ROBIN, 1);
        long aware = run(Router.PREFIX_AWARE, 1);

        assertThat(blind).isLessThanOrEqualTo(REQUESTS * 1_100L);
        assertThat(aware).isLessThan(blind / 2);
    }

    @Test
    void ranks_of_a_replica_have_caches_of_their_own_and_are_told_apart() {
        long aware = run(Router.PREFIX_AWARE, 2);

        assertThat(aware).isLessThan(REQUESTS * 400L);
        assertThat(ranks).contains(0, 1).doesNotContain(2);
    }

    private long run(Router router, int ranksEach) {
        prefilledTokens = 0;
        ranks.clear();
        PoolSpec pool = new PoolSpec(
                "agg",
                EngineSettings.vllm(2048, 16, 13_000).withRanks(ranksEach),
                seed -> batch -> 0.005 + 1e-5 * batch.totalTokens(),
                router,
                new Replicas(4 / ranksEach, 4, 4, 0),
                null);
        RequestLedger ledger = new RequestLedger();
        Fleet fleet = new Fleet(
                new FleetSettings(List.of(pool), List.of(new Traffic("agg", conversations())), 0, SECOND, 1),
                new FrameChannels((origin, frame, nowNanos) -> {
                    prefilledTokens += frame.scheduled().sumPrefillTokens();
                    ranks.add(origin.dpRank());
                }),
                ledger);
        fleet.advanceTo(200 * SECOND);
        assertThat(ledger.size()).isEqualTo(REQUESTS);
        assertThat(ledger.unfinished()).isZero();
        return prefilledTokens;
    }

    private static RequestSource conversations() {
        RandomVariates variates = new RandomVariates(3);
        return new RequestSource() {
            private int next;

            @Override
            public long nextArrivalNanos() {
                return next == REQUESTS ? Long.MAX_VALUE : next * SECOND / 8;
            }

            @Override
            public Request next() {
                long conversation = (long) (40 * variates.uniform());
                long[] hashes = new long[8];
                for (int i = 0; i < hashes.length; i++) {
                    hashes[i] = 100 * conversation + i;
                }
                return new Request(next, next++ * SECOND / 8, 8 * 128 + 50, 0, 20, PrefixBlocks.of(128, hashes));
            }
        };
    }
}
