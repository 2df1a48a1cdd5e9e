/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.kv.KvReport;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KvBookTest {
    private static final long EPOCH = 1_700_000_000_000_000_000L;

    private final Pool pool = new Pool(PoolTest.settings(Role.AGGREGATED));
    private final FpmFrame frame = new FpmFrame();

    private static long at(double seconds) {
        return EPOCH + Math.round(seconds * 1e9);
    }

    private void heartbeat(String endpoint, String worker, int rank, double seconds) {
        pool.onFrame(frame.clearPayload().workerId(worker).dpRank(rank).arrival(endpoint, 0, at(seconds)));
    }

    private static KvReport loadStat(int rank, long used, long capacity) {
        return new KvReport(
                KvReport.Kind.LOAD_STAT,
                "",
                OptionalInt.of(rank),
                OptionalLong.of(12),
                OptionalLong.empty(),
                OptionalLong.of(3),
                OptionalLong.of(used),
                OptionalLong.of(capacity),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    private static KvReport activeLoad(String worker, long blocks) {
        return new KvReport(
                KvReport.Kind.ACTIVE_LOAD,
                worker,
                OptionalInt.of(0),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(blocks),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    @Test
    void nothingSaidIsNothingKnown() {
        heartbeat("tcp://10.0.0.1:20380", "a", 0, 0);
        PoolView view = pool.tick(at(0.1));
        assertThat(view.liveRanks()).allMatch(rank -> rank.kv().isEmpty());
        assertThat(view.kv().capacityTokensPerRank()).isEmpty();
        assertThat(view.kv().usedShare()).isEmpty();
        assertThat(view.settings().limits().kvCapacityTokens()).isEmpty();
    }

    @Test
    void reportsOfAHostGoToItsRankOfThatNumber() {
        for (int host = 1; host <= 2; host++) {
            for (int rank = 0; rank < 2; rank++) {
                heartbeat("tcp://10.0.0." + host + ":2038" + rank, "w" + host, rank, 0);
                pool.onKv("tcp://10.0.0." + host + ":5557", loadStat(rank, host * 1000 + rank, 10_000), at(0.5));
            }
        }
        PoolView view = pool.tick(at(1));
        assertThat(view.kv().unmatched()).isZero();
        assertThat(view.liveRanks()).allSatisfy(rank -> {
            KvView kv = rank.kv().orElseThrow();
            int host = rank.workerId().equals("w1") ? 1 : 2;
            assertThat(kv.usedTokens()).hasValue(host * 1000 + rank.dpRank());
            assertThat(kv.waitingRequests()).hasValue(3);
            assertThat(kv.usedShare().orElseThrow()).isCloseTo((host * 1000 + rank.dpRank()) / 1e4, within(1e-12));
            assertThat(kv.usedBlocks()).isEmpty();
            assertThat(kv.receivedNanos()).isEqualTo(at(0.5));
        });
        assertThat(view.kv().usedShare().orElseThrow()).isCloseTo(0.15005, within(1e-9));
    }

    @Test
    void aReportedCapacityStandsInForOneThatIsNotConfigured() {
        heartbeat("tcp://10.0.0.1:20380", "a", 0, 0);
        pool.onKv("tcp://10.0.0.1:5557", loadStat(0, 1, 500_000), at(0));
        assertThat(pool.tick(at(0.1)).settings().limits().kvCapacityTokens()).hasValue(500_000);
        PoolSettings configured = PoolTest.settings(Role.AGGREGATED);
        Pool fixed = new Pool(configured.withLimits(configured.limits().withKvCapacity(77)));
        fixed.onKv("tcp://10.0.0.1:5557", loadStat(0, 1, 500_000), at(0));
        assertThat(fixed.tick(at(0.1)).settings().limits().kvCapacityTokens()).hasValue(77);
    }

    @Test
    void workersAreNamedByActiveLoadAndBothReportsCount() {
        heartbeat("dynamo://broker", "8465209922961459", 0, 0);
        heartbeat("tcp://10.0.0.1:20380", "other", 0, 0);
        pool.onKv("dynamo://broker", activeLoad("8465209922961459", 7716), at(0.2));
        pool.onKv("tcp://10.0.0.1:5557", loadStat(0, 40, 100), at(0.1));
        pool.onKv("dynamo://broker", activeLoad("nobody", 1), at(0.2));
        PoolView view = pool.tick(at(1));
        assertThat(view.kv().reports()).isEqualTo(3);
        assertThat(view.kv().unmatched()).isEqualTo(1);
        assertThat(view.liveRanks().filter(rank -> rank.workerId().startsWith("8")))
                .singleElement()
                .satisfies(
                        rank -> assertThat(rank.kv().orElseThrow().usedBlocks()).hasValue(7716));
        assertThat(view.liveRanks().filter(rank -> rank.workerId().equals("other")))
                .singleElement()
                .satisfies(
                        rank -> assertThat(rank.kv().orElseThrow().usedShare()).hasValue(0.4));
    }

    @Test
    void whereSeveralCouldBeMeantNobodyIs() {
        heartbeat("ipc:///run/a.0", "a", 0, 0);
        pool.onKv("tcp://127.0.0.1:5557", loadStat(0, 1, 100), at(0));
        assertThat(pool.tick(at(0.1)).liveRanks()).allMatch(rank -> rank.kv().isPresent());
        heartbeat("ipc:///run/b.0", "b", 0, 0.2);
        PoolView view = pool.tick(at(0.3));
        assertThat(view.liveRanks()).allMatch(rank -> rank.kv().isEmpty());
        assertThat(view.kv().unmatched()).isEqualTo(1);
        assertThat(view.kv().capacityTokensPerRank())
                .as("is known all the same")
                .hasValue(100);
    }

    @Test
    void oldReportsAreShownWithTheirAgeThenForgottenAndAFloodIsCapped() {
        heartbeat("tcp://10.0.0.1:20380", "a", 0, 0);
        pool.onKv("tcp://10.0.0.1:5557", loadStat(0, 1, 100), at(0));
        heartbeat("tcp://10.0.0.1:20380", "a", 0, 60);
        PoolView view = pool.tick(at(60));
        assertThat(view.liveRanks()).allMatch(rank -> rank.kv().isPresent());
        assertThat(view.kv().usedShare()).as("too old to count").isEmpty();
        heartbeat("tcp://10.0.0.1:20380", "a", 0, 1000);
        assertThat(pool.tick(at(1000)).liveRanks()).allMatch(rank -> rank.kv().isEmpty());

        Pool small = new Pool(PoolTest.settings(Role.AGGREGATED).withRanks(new RankLimits(10, 10)));
        for (int i = 0; i < 1000; i++) {
            small.onKv("tcp://10.0.0.1:" + i, loadStat(0, 1, 100), at(0));
        }
        assertThat(small.tick(at(0)).kv().refused()).isEqualTo(980);
    }
}
