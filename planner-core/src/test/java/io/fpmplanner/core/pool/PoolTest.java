/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.models.Evidence;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PoolTest {
    private static final long EPOCH = 1_700_000_000_000_000_000L;
    private static final String ENDPOINT = "tcp://10.0.0.7:20380";

    private final Pool pool = new Pool(settings(Role.AGGREGATED));
    private final FpmFrame frame = new FpmFrame();

    static PoolSettings settings(Role role) {
        return new PoolSettings(
                "pool",
                "model",
                role,
                new SloTarget(1, 0.05, 0.95),
                new EngineLimits(2048, 64, OptionalLong.empty(), SchedulingRule.DECODE_FIRST),
                new ScalingSettings(1, 8, 0.8, 60, 20),
                LivenessSettings.defaults());
    }

    private static long at(double seconds) {
        return EPOCH + Math.round(seconds * 1e9);
    }

    private FpmFrame from(String endpoint, String worker, int rank, long sequence, double seconds) {
        return frame.clearPayload().workerId(worker).dpRank(rank).arrival(endpoint, sequence, at(seconds));
    }

    private void decode(long sequence, double seconds, long requests) {
        pool.onFrame(from(ENDPOINT, "w", 0, sequence, seconds)
                .scheduledDecode(requests, requests * 100, 0)
                .wallTimeSeconds(0.01));
    }

    private void heartbeat(long sequence, double seconds) {
        pool.onFrame(from(ENDPOINT, "w", 0, sequence, seconds));
    }

    private RankView onlyRank(double seconds) {
        PoolView view = pool.tick(at(seconds));
        assertThat(view.workers()).hasSize(1);
        assertThat(view.workers().get(0).ranks()).hasSize(1);
        return view.workers().get(0).ranks().get(0);
    }

    @Test
    void aFreshPoolKnowsNothing() {
        PoolView view = pool.tick(at(0));
        assertThat(view.fleet().everSeen()).isFalse();
        assertThat(view.evidence()).isEqualTo(Evidence.COLD);
        assertThat(view.dataAgeSeconds()).isInfinite();
        assertThat(view.load().traffic().inputTokens()).isEmpty();
    }

    @Test
    void idleIsToldFromALongStepAndFromSilence() {
        heartbeat(0, 0);
        assertThat(onlyRank(0.5).activity(at(0.5))).isEqualTo(RankActivity.IDLE);
        decode(1, 1, 4);
        assertThat(onlyRank(1.2).activity(at(1.2))).isEqualTo(RankActivity.BUSY);
        assertThat(onlyRank(2.9).activity(at(2.9))).as("no heartbeats in it").isEqualTo(RankActivity.LONG_STEP);
        heartbeat(2, 3);
        assertThat(onlyRank(3.1).activity(at(3.1))).as("heartbeats in it").isEqualTo(RankActivity.LONG_STEP);
        heartbeat(3, 4);
        heartbeat(4, 5);
        assertThat(onlyRank(5.1).activity(at(5.1))).as("too many for that").isEqualTo(RankActivity.IDLE);
        assertThat(onlyRank(11).activity(at(11))).isEqualTo(RankActivity.SILENT);
        assertThat(onlyRank(36).activity(at(36))).isEqualTo(RankActivity.GONE);
    }

    @Test
    void gapsAreLossButTheFirstSequenceIsNot() {
        decode(900, 0, 4);
        decode(901, 0.02, 4);
        decode(905, 0.1, 4);
        RankView rank = onlyRank(0.2);
        assertThat(rank.counters().framesLost()).isEqualTo(3);
        assertThat(rank.counters().framesReceived()).isEqualTo(3);
        assertThat(rank.counters().stepsLearned()).isEqualTo(3);
        assertThat(rank.incarnation()).isEqualTo(1);
    }

    @Test
    void aSequenceThatFallsBackIsANewIncarnationWithEmptyWindows() {
        decode(10, 0, 4);
        decode(11, 0.02, 4);
        decode(0, 3, 2);
        RankView rank = onlyRank(3.1);
        assertThat(rank.incarnation()).isEqualTo(2);
        assertThat(rank.counters().restarts()).isEqualTo(1);
        assertThat(rank.counters().framesLost()).isZero();
        assertThat(rank.window().steps()).isEqualTo(1);
        assertThat(rank.load().decodeRequests()).isEqualTo(2);
        decode(0, 4, 2);
        assertThat(onlyRank(4.1).incarnation()).as("the same number again").isEqualTo(3);
    }

    @Test
    void anAbsurdJumpOfTheSequenceIsAnotherProducerNotLoss() {
        decode(0, 0, 4);
        decode(Long.MAX_VALUE, 0.02, 4);
        decode(0, 0.04, 4);
        decode(3, 0.06, 4);
        RankView rank = onlyRank(0.1);
        assertThat(rank.counters().framesLost()).isEqualTo(2);
        assertThat(rank.counters().restarts()).isEqualTo(2);
    }

    @Test
    void aStepFarBeyondTheLimitsIsCountedAndTeachesNothing() {
        decode(0, 0, 4);
        pool.onFrame(from(ENDPOINT, "w", 0, 1, 0.02)
                .scheduledPrefill(1, 2_000_000_000L, 0, 0)
                .wallTimeSeconds(0.02));
        PoolView view = pool.tick(at(0.1));
        RankView rank = view.workers().get(0).ranks().get(0);
        assertThat(rank.counters().implausible()).isEqualTo(1);
        assertThat(rank.counters().stepsLearned()).isEqualTo(1);
        assertThat(rank.window().steps()).isEqualTo(1);
        assertThat(view.load().tick().prefillTokens()).isZero();
    }

    @Test
    void framesWithoutSequenceAreFollowedByTheirCounter() {
        pool.onFrame(from(ENDPOINT, "w", 0, FpmFrame.NO_SEQUENCE, 0).counterId(5));
        pool.onFrame(from(ENDPOINT, "w", 0, FpmFrame.NO_SEQUENCE, 1).counterId(8));
        assertThat(onlyRank(1).counters().framesLost()).isEqualTo(2);
        pool.onFrame(from(ENDPOINT, "w", 0, FpmFrame.NO_SEQUENCE, 2));
        assertThat(onlyRank(2).counters().restarts()).as("unnumbered").isZero();
    }

    @Test
    void kindsOfFramesAreToldApart() {
        heartbeat(0, 0);
        pool.onFrame(from(ENDPOINT, "w", 0, 1, 0.1).wallTimeSeconds(0.005));
        pool.onFrame(from(ENDPOINT, "w", 0, 2, 0.2).scheduledDecode(3, 300, 0));
        pool.onFrame(
                from(ENDPOINT, "w", 0, 3, 0.3).scheduledDecode(3, 1L << 50, 0).wallTimeSeconds(0.01));
        decode(4, 0.4, 3);
        RankCounters counters = onlyRank(0.5).counters();
        assertThat(counters.heartbeats()).isEqualTo(1);
        assertThat(counters.dummySteps()).isEqualTo(1);
        assertThat(counters.untimedSteps()).isEqualTo(1);
        assertThat(counters.implausible()).isEqualTo(1);
        assertThat(counters.stepsLearned()).isEqualTo(1);
        assertThat(counters.framesReceived()).isEqualTo(5);
    }

    @Test
    void aHeartbeatDuringALongStepDoesNotEmptyTheQueue() {
        pool.onFrame(from(ENDPOINT, "w", 0, 0, 0)
                .scheduledDecode(20, 2000, 0)
                .queuedPrefill(3, 9000, 0)
                .wallTimeSeconds(0.02));
        heartbeat(1, 1);
        assertThat(onlyRank(1.1).load().queuedPrefillTokens()).isEqualTo(9000);
        assertThat(onlyRank(1.1).load().idle()).isFalse();
        heartbeat(2, 2);
        heartbeat(3, 3);
        assertThat(onlyRank(3.1).load().idle()).as("after three in a row").isTrue();
    }

    @Test
    void aHeartbeatAfterTheLastDecodeMeansIdle() {
        decode(0, 0, 1);
        assertThat(onlyRank(0.1).load().idle()).isFalse();
        heartbeat(1, 1);
        assertThat(onlyRank(1.1).load().idle()).isTrue();
        assertThat(pool.tick(at(1.2)).load().running()).isZero();
    }

    @Test
    void silenceIsStaleThenGoneAndNeverIdle() {
        decode(0, 0, 8);
        assertThat(onlyRank(4.9).state()).isEqualTo(LivenessState.LIVE);
        RankView stale = onlyRank(6);
        assertThat(stale.state()).isEqualTo(LivenessState.STALE);
        assertThat(stale.load().idle()).isFalse();
        assertThat(pool.tick(at(6)).evidence()).isNotEqualTo(Evidence.READY);
        assertThat(onlyRank(31).state()).isEqualTo(LivenessState.GONE);
        assertThat(pool.tick(at(400)).workers()).as("forgotten at last").isEmpty();
    }

    @Test
    void whatAPoolHasCountedNeverFallsThoughItsRanksAreForgotten() {
        decode(0, 0, 8);
        heartbeat(1, 1);
        assertThat(pool.tick(at(2)).counters().heartbeats()).isEqualTo(1);
        assertThat(pool.tick(at(400)).workers()).isEmpty();
        assertThat(pool.tick(at(401)).counters().heartbeats()).isEqualTo(1);
        heartbeat(2, 500);
        RankCounters counted = pool.tick(at(501)).counters();
        assertThat(counted.heartbeats()).as("it came back and counts from zero").isEqualTo(2);
        assertThat(counted.framesReceived()).isEqualTo(3);
        assertThat(counted.stepsLearned()).isEqualTo(1);
    }

    @Test
    void aFrameOfAnEarlierTimeDoesNotMakeALiveRankStale() {
        decode(0, 0, 4);
        decode(1, 20, 4);
        decode(2, 3, 4);
        assertThat(onlyRank(21).activity(at(21))).isEqualTo(RankActivity.LONG_STEP);
        assertThat(pool.tick(at(21)).dataAgeSeconds()).isEqualTo(1);
    }

    @Test
    void emptyAndEqualWorkerIdsOnOtherEndpointsAreOtherWorkers() {
        pool.onFrame(from("tcp://10.0.0.1:20380", "", 0, 0, 0));
        pool.onFrame(from("tcp://10.0.0.2:20380", "", 0, 0, 0));
        pool.onFrame(from("tcp://10.0.0.3:20380", "same", 0, 0, 0));
        pool.onFrame(from("tcp://10.0.0.4:20380", "same", 0, 0, 0));
        PoolView view = pool.tick(at(0.5));
        assertThat(view.fleet().live()).isEqualTo(4);
        assertThat(view.liveRanks()).hasSize(4);
    }

    @Test
    void dataParallelRanksOfOneWorkerAreOneReplica() {
        for (int rank = 0; rank < 4; rank++) {
            pool.onFrame(from("tcp://10.0.0.1:" + (20380 + rank), "a", rank, 0, 0));
            pool.onFrame(from("tcp://10.0.0.2:" + (20380 + rank), "", rank, 0, 0));
        }
        PoolView view = pool.tick(at(0.5));
        assertThat(view.fleet().live()).isEqualTo(2);
        assertThat(view.fleet().ranksPerWorker()).isEqualTo(4);
        assertThat(view.workers())
                .allSatisfy(worker ->
                        assertThat(worker.ranks()).extracting(RankView::dpRank).containsExactly(0, 1, 2, 3));
    }

    @Test
    void workerIdsAreKeyedByBytesNotByText() {
        byte[] one = {(byte) 0xff};
        byte[] other = {(byte) 0xfe};
        pool.onFrame(from(ENDPOINT, "", 0, 0, 0).workerId(one, 0, 1));
        pool.onFrame(from(ENDPOINT, "", 0, 0, 0).workerId(other, 0, 1));
        assertThat(pool.tick(at(0.1)).liveRanks())
                .hasSize(2)
                .allMatch(rank -> rank.workerId().equals(new String(one, StandardCharsets.UTF_8)));
    }

    @Test
    void aNewWorkerOnAnEndpointReplacesTheSilentOne() {
        pool.onFrame(from(ENDPOINT, "old", 0, 55, 0));
        pool.onFrame(from(ENDPOINT, "new", 0, 0, 2));
        assertThat(pool.tick(at(2.1)).fleet().live()).isEqualTo(2);
        pool.onFrame(from(ENDPOINT, "new", 0, 1, 3));
        FleetView fleet = pool.tick(at(3)).fleet();
        assertThat(fleet.live()).isEqualTo(1);
        assertThat(fleet.gone()).isEqualTo(1);
    }

    @Test
    void aWorkerThatComesBackWithFewerRanksIsDoubtedOnlyUntilTheOthersAreGone() {
        for (int rank = 0; rank < 4; rank++) {
            pool.onFrame(from("tcp://10.0.0.1:" + (20380 + rank), "a", rank, 90, -1));
            pool.onFrame(from("tcp://10.0.0.1:" + (20380 + rank), "a", rank, 91, 0));
        }
        for (int second = 2; second <= 31; second++) {
            for (int rank = 0; rank < 2; rank++) {
                pool.onFrame(from("tcp://10.0.0.1:" + (20380 + rank), "a", rank, second - 2, second));
            }
        }
        FleetView before = pool.tick(at(29.9)).fleet();
        assertThat(before.stale()).isEqualTo(1);
        PoolView after = pool.tick(at(31.1));
        assertThat(after.fleet().live()).isEqualTo(1);
        assertThat(after.fleet().stale()).isZero();
        assertThat(after.fleet().ranksPerWorker()).isEqualTo(2);
        assertThat(after.liveRanks()).hasSize(2);
    }

    @Test
    void aRankNumberHeardOnceOnlyDoesNotMakeAWorkerDoubtful() {
        heartbeat(0, 0);
        pool.onFrame(from(ENDPOINT, "w", 64, 1, 0.5));
        heartbeat(2, 6);
        assertThat(pool.tick(at(6.1)).fleet().live()).isEqualTo(1);
        pool.onFrame(from(ENDPOINT, "w", 64, 3, 6.5));
        heartbeat(4, 13);
        assertThat(pool.tick(at(13.1)).fleet().stale()).as("heard twice").isEqualTo(1);
        assertThat(pool.tick(at(20)).fleet().live()).isZero();
    }

    @Test
    void aWorkerThatNeverWorkedWhereAnotherWorksIsNotMissed() {
        decode(0, 0, 4);
        for (int beat = 1; beat < 4; beat++) {
            pool.onFrame(from(ENDPOINT, "", 0, beat, beat));
            pool.onFrame(from("tcp://10.0.0.8:20380", "v", 0, beat, beat));
        }
        decode(4, 3.5, 4);
        FleetView fleet = pool.tick(at(3.6)).fleet();
        assertThat(fleet.live()).isEqualTo(3);
        assertThat(fleet.newcomers())
                .as("the one with a socket of its own is none")
                .isEqualTo(1);
    }

    @Test
    void aFloodOfWorkerIdsIsCapped() {
        Pool small = new Pool(settings(Role.AGGREGATED).withRanks(new RankLimits(300, 100)));
        for (int i = 0; i < 5_000; i++) {
            small.onFrame(from(ENDPOINT, "flood-" + i, 0, 0, 0));
        }
        small.onFrame(from("tcp://10.0.0.8:20380", "honest", 0, 0, 0));
        PoolView view = small.tick(at(0.1));
        assertThat(view.liveRanks()).hasSize(101);
        assertThat(view.doubts().ranksRefused()).isEqualTo(4_900);
        assertThat(view.endpoints().get(0).framesRefused()).isEqualTo(4_900);
        assertThat(view.endpoints().get(1).framesRefused()).isZero();
        small.onFrame(from(ENDPOINT, "late", 0, 0, 40));
        assertThat(small.tick(at(40)).liveRanks()).as("gone ones made place").hasSize(1);
    }

    @Test
    void aFloodFromManyEndpointsIsCappedToo() {
        Pool small = new Pool(settings(Role.AGGREGATED).withRanks(new RankLimits(50, 50)));
        for (int i = 0; i < 1_000; i++) {
            small.onFrame(from("tcp://10.0.0.7:" + i, "w", 0, 0, 0));
        }
        PoolView view = small.tick(at(0.1));
        assertThat(view.liveRanks()).hasSize(50);
        assertThat(view.endpoints()).hasSizeLessThanOrEqualTo(101);
        assertThat(view.endpoints().stream()
                        .mapToLong(EndpointView::framesRefused)
                        .sum())
                .isEqualTo(950);
    }

    @Test
    void ranksOfAnEventPlaneAreToldApartByPublisherAndNeverTakeEachOthersSeat() {
        String broker = "dynamo-broker+tcp://broker:5560";
        for (int second = 0; second < 5; second++) {
            pool.onFrame(from(broker, "a", 0, second, second).publisherId(1));
            if (second > 1) {
                pool.onFrame(from(broker, "b", 0, second, second).publisherId(2));
                pool.onFrame(from(broker, "", 0, second, second).publisherId(3));
                pool.onFrame(from(broker, "", 0, second, second).publisherId(4));
            }
        }
        PoolView view = pool.tick(at(8.2));
        assertThat(view.fleet().live()).as("slow beats are not replacement").isEqualTo(4);
        assertThat(view.liveRanks()).extracting(RankView::publisherId).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        pool.onFrame(from(broker, "a", 0, 0, 8.3).publisherId(9));
        assertThat(pool.tick(at(8.4)).fleet().live())
                .as("a new publisher of the same worker")
                .isEqualTo(4);
    }

    @Test
    void ranksWithoutIdsOnTheFilesOfOneEngineAreOneWorker() {
        for (String base : new String[] {"ipc:///run/one", "ipc:///run/two"}) {
            for (int rank = 0; rank < 3; rank++) {
                pool.onFrame(from(base + "." + rank, "", rank, 0, 0));
            }
        }
        PoolView view = pool.tick(at(0.1));
        assertThat(view.workers()).hasSize(2).allMatch(worker -> worker.ranks().size() == 3);
    }

    @Test
    void rejectsAreCountedByEndpointAndReason() {
        pool.onReject(ENDPOINT, RejectReason.TRUNCATED);
        pool.onReject(ENDPOINT, RejectReason.TRUNCATED);
        pool.onReject("tcp://b:1", RejectReason.NOT_A_MAP);
        decode(0, 0, 1);
        PoolView view = pool.tick(at(0.1));
        assertThat(view.endpoints()).hasSize(2);
        assertThat(view.endpoints().get(0).rejected()).containsEntry(RejectReason.TRUNCATED, 2L);
        assertThat(view.endpoints().get(0).framesReceived()).isEqualTo(1);
        assertThat(view.endpoints().get(0).state()).isEqualTo(LivenessState.LIVE);
        assertThat(view.endpoints().get(1).rejected()).containsOnlyKeys(RejectReason.NOT_A_MAP);
    }

    @Test
    void timingScopesNeverShareAFit() {
        for (int i = 0; i < 200; i++) {
            double wall = i % 4 == 0 ? 0.5 : 0.01;
            pool.onFrame(from(ENDPOINT, "w", 0, i, i * 0.1)
                    .timingScope(i % 4 == 0 ? "execute_model_cuda" : "model_step_cuda")
                    .scheduledDecode(4, 400, 0)
                    .wallTimeSeconds(wall));
        }
        PoolView view = pool.tick(at(20));
        assertThat(view.model().timingScope()).isEqualTo("model_step_cuda");
        assertThat(view.model().scopes()).isEqualTo(2);
        var step = new io.fpmplanner.models.StepWorkload().decode(4, 400, 0);
        assertThat(view.model().snapshot().predictor().medianSeconds(step)).isCloseTo(0.01, within(0.001));
        for (int i = 0; i < 10; i++) {
            pool.onFrame(from(ENDPOINT, "w", 0, 300 + i, 21)
                    .timingScope("scope-" + i)
                    .scheduledDecode(4, 400, 0)
                    .wallTimeSeconds(0.01));
        }
        assertThat(pool.tick(at(22)).doubts().scopesRefused()).isPositive();
    }

    @Test
    void chunkContinuationsAreNotNewRequests() {
        long sequence = 0;
        double now = 0;
        for (int prompt = 0; prompt < 10; prompt++) {
            for (int chunk = 0; chunk < 5; chunk++) {
                now += 0.05;
                boolean last = chunk == 4;
                pool.onFrame(from(ENDPOINT, "w", 0, sequence++, now)
                        .scheduledPrefill(1, last ? 1000 : 2048, 0, chunk * 2048L)
                        .wallTimeSeconds(0.04));
            }
            pool.tick(at(now));
        }
        PoolLoad.Traffic traffic = pool.tick(at(now)).load().traffic();
        assertThat(traffic.inputTokens().orElseThrow()).isCloseTo(4 * 2048 + 1000, within(1.0));
    }

    @Test
    void supplyingNegativeReplicasIsRefused() {
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> pool.supplyFleet(new SuppliedFleet(-1, OptionalInt.empty(), OptionalInt.empty(), 0)))
                .withMessageContaining("ready");
    }

    @Test
    void timeThatRunsBackwardsHarmsNothing() {
        decode(0, 10, 4);
        pool.tick(at(11));
        decode(1, 9, 4);
        PoolView view = pool.tick(at(8));
        assertThat(view.load().tick().seconds()).isZero();
        assertThat(view.fleet().live()).isEqualTo(1);
    }
}
