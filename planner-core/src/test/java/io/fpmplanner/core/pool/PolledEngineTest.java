/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.models.StepWorkload;
import org.junit.jupiter.api.Test;

/** What TensorRT-LLM under Dynamo does: polled bursts, one time for all ranks, rank 0 tells the queue, no variances. */
class PolledEngineTest {
    private static final long EPOCH = 1_700_000_000_000_000_000L;
    private static final int RANKS = 4;
    private static final double STEP_SECONDS = 0.07;

    private final Pool pool = new Pool(PoolTest.settings(Role.AGGREGATED));
    private final FpmFrame frame = new FpmFrame();
    private long sequence;
    private double engineSeconds;
    private double lastWallTimeSeconds;

    /** One iteration: rank r decodes 4 + r requests, except rank 3 which has half the work; 100 prompts wait. */
    private void iterate(long queued) {
        sequence++;
        lastWallTimeSeconds = STEP_SECONDS * (1 + 0.01 * Math.sin((double) sequence));
        engineSeconds += lastWallTimeSeconds;
        double polledSeconds = Math.ceil(engineSeconds * 10) / 10;
        for (int rank = 0; rank < RANKS; rank++) {
            long requests = rank == 3 ? 2 : 4 + rank;
            frame.clearPayload()
                    .arrival("dynamo+tcp://trt:5000", FpmFrame.NO_SEQUENCE, EPOCH + Math.round(polledSeconds * 1e9))
                    .publisherId(77)
                    .workerId("trt")
                    .dpRank(rank)
                    .counterId(sequence)
                    .scheduledDecode(requests, requests * 1000 + 1, 0)
                    .wallTimeSeconds(lastWallTimeSeconds);
            if (rank == 0) {
                frame.queuedPrefill(queued, queued * 500, 0);
            }
            pool.onFrame(frame);
        }
    }

    private PoolView tick() {
        return pool.tick(EPOCH + Math.round(engineSeconds * 1e9) + 100_000_000L);
    }

    private static long learned(PoolView view) {
        return view.liveRanks()
                .mapToLong(rank -> rank.counters().stepsLearned())
                .sum();
    }

    @Test
    void oneTimeIsLearnedOnceFromTheRankWithMostWork() {
        for (int i = 0; i < 200; i++) {
            iterate(0);
            if (i % 10 == 0) {
                tick();
            }
        }
        PoolView view = tick();
        assertThat(view.workers()).hasSize(1);
        assertThat(view.workers().get(0).ranks()).hasSize(RANKS);
        long learned = learned(view);
        long repeated = view.liveRanks()
                .mapToLong(rank -> rank.counters().repeatedSteps())
                .sum();
        assertThat(learned).isEqualTo(200);
        // The model itself puts its very first steps aside.
        assertThat(view.model().snapshot().report().framesLearned()).isBetween(190L, 200L);
        assertThat(repeated).isEqualTo(3 * 200);
        assertThat(view.workers().get(0).ranks().get(2).counters().stepsLearned())
                .isBetween(199L, 200L);
        StepWorkload busiest = new StepWorkload().decode(6, 6001, 0);
        assertThat(view.model().snapshot().predictor().medianSeconds(busiest))
                .isCloseTo(STEP_SECONDS, within(0.1 * STEP_SECONDS));
        assertThat(view.load().busyShare()).isBetween(0.8, 1.0);
    }

    @Test
    void aTickBetweenTheFramesOfOneStepTeachesItOnce() {
        iterate(0);
        tick();
        frame.dpRank(9).wallTimeSeconds(lastWallTimeSeconds);
        pool.onFrame(frame);
        PoolView view = tick();
        assertThat(learned(view)).isEqualTo(1);
    }

    @Test
    void theQueueThatRankZeroTellsIsSharedByAll() {
        for (int i = 0; i < 40; i++) {
            iterate(100);
        }
        PoolView view = tick();
        assertThat(view.load().queuedPrefillRequests()).isCloseTo(100, within(1e-9));
        assertThat(view.load().queuedPrefillTokens()).isCloseTo(50_000, within(1e-6));
        assertThat(view.liveRanks()).allSatisfy(rank -> {
            assertThat(rank.load().queuedPrefillRequests()).isCloseTo(25, within(1e-9));
            assertThat(rank.load().queuedPrefillTokens()).isCloseTo(12_500, within(1e-6));
        });
        assertThat(view.load().tick().queueGrowthRequests()).isCloseTo(100, within(1e-9));
    }

    @Test
    void burstsTellNothingOfGapsAndZerosNothingOfVariances() {
        for (int i = 0; i < 200; i++) {
            iterate(0);
        }
        PoolView view = tick();
        assertThat(view.load().gapSeconds()).isZero();
        assertThat(view.liveRanks())
                .allSatisfy(rank -> assertThat(rank.lastFrame().scheduled().decodeKvVariance())
                        .as("unknown, not 0")
                        .isEmpty());
    }

    @Test
    void ranksThatMeasureForThemselvesAreAllLearnedFrom() {
        for (int i = 0; i < 100; i++) {
            for (int rank = 0; rank < 2; rank++) {
                pool.onFrame(frame.clearPayload()
                        .arrival("tcp://mocker:1", FpmFrame.NO_SEQUENCE, EPOCH + i * 20_000_000L)
                        .workerId("w")
                        .dpRank(rank)
                        .counterId(i)
                        .queuedPrefill(rank, rank, 0)
                        .scheduledDecode(8, 8000 + i, 1e-3 * rank)
                        .wallTimeSeconds(0.015 + 1e-5 * i + 1e-7 * rank));
            }
        }
        PoolView view = pool.tick(EPOCH + 2_000_000_000L);
        assertThat(learned(view)).isEqualTo(200);
        assertThat(view.liveRanks())
                .allSatisfy(rank -> assertThat(rank.counters().repeatedSteps()).isZero());
        assertThat(view.workers().get(0).ranks().get(1).load().queuedPrefillRequests())
                .isEqualTo(1);
    }
}
