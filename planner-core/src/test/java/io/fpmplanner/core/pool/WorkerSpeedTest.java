/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencyQuery;
import io.fpmplanner.models.StepWorkload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is slow is found out from frames alone, in virtual time. */
class WorkerSpeedTest {
    private static final int FRAMES_PER_TICK = 20;

    /** Workers whose batches wander about a common load, a prefill now and then, one percent of noise and a stall in 200 steps. */
    private static final class Fleet {
        private final double[] factors;
        private final int ranksPerWorker;
        private final double[] batches;
        private final long[] sequences;
        private final Random random;
        private final FpmFrame frame = new FpmFrame();
        private final StepWorkload step = new StepWorkload();
        private final List<List<Double>> errors = new ArrayList<>();
        private final Pool pool;
        private int current;
        private long nowNanos = 1_700_000_000_000_000_000L;
        private int frames;
        private double common = 1;

        private Fleet(int ranksPerWorker, double... factors) {
            this(5, ranksPerWorker, factors);
        }

        private Fleet(long seed, int ranksPerWorker, double[] factors) {
            this.random = new Random(seed);
            this.factors = factors;
            this.ranksPerWorker = ranksPerWorker;
            int ranks = factors.length * ranksPerWorker;
            batches = new double[ranks];
            sequences = new long[ranks];
            for (int i = 0; i < ranks; i++) {
                batches[i] = 10 + random.nextInt(20);
            }
            for (int i = 0; i < factors.length; i++) {
                errors.add(new ArrayList<>());
            }
            pool = new Pool(PoolTest.settings(Role.AGGREGATED), (model, loads, seconds) -> {
                if (!model.isCold()) {
                    errors.get(current / ranksPerWorker).add(Math.abs(model.predictSeconds(loads) / seconds - 1));
                }
            });
        }

        /** So many frames of each rank, and a tick after every few of them. */
        private PoolView run(int framesPerRank) {
            PoolView view = pool.tick(nowNanos);
            for (int t = 0; t < framesPerRank; t++) {
                for (int rank = 0; rank < batches.length; rank++) {
                    send(rank);
                }
                if (++frames % FRAMES_PER_TICK == 0) {
                    view = pool.tick(nowNanos);
                }
            }
            return view;
        }

        private void send(int rank) {
            current = rank;
            double level = 25 + 15 * Math.sin(frames / 150.0);
            batches[rank] += 0.05 * (level - batches[rank]) + 2 * random.nextGaussian();
            batches[rank] = Math.max(1, batches[rank]);
            long batch = (long) batches[rank];
            long prefill = random.nextInt(20) == 0 ? 1 + random.nextInt(1500) : 0;
            step.clear().decode((double) batch, batch * 1000.0, 0).prefill(prefill > 0 ? 1 : 0, (double) prefill, 0, 0);
            double seconds = factors[rank / ranksPerWorker]
                    * common
                    * (0.008 + 1e-4 * batch + 2e-5 * prefill + 3e-8 * batch * 1000)
                    * Math.exp(0.01 * random.nextGaussian())
                    * (random.nextInt(200) == 0 ? 10 : 1);
            nowNanos += 3_000_000;
            frame.clearPayload()
                    .workerId("w" + rank / ranksPerWorker)
                    .dpRank(rank % ranksPerWorker)
                    .scheduledDecode(batch, batch * 1000, 0)
                    .wallTimeSeconds(seconds);
            if (prefill > 0) {
                frame.scheduledPrefill(1, prefill, 0, 0);
            }
            pool.onFrame(frame.arrival("tcp://10.0.0." + rank + ":20380", sequences[rank]++, nowNanos));
        }

        private double meanError(int worker, int from) {
            List<Double> all = errors.get(worker);
            return all.subList(from, all.size()).stream()
                    .mapToDouble(Double::doubleValue)
                    .filter(error -> error < 0.5)
                    .average()
                    .orElseThrow();
        }
    }

    private static List<SpeedVerdict> verdicts(PoolView view) {
        return view.workers().stream().map(worker -> worker.speed().verdict()).toList();
    }

    private static double factor(PoolView view, int worker) {
        return view.workers().get(worker).speed().factor();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aSlowWorkerOfFourIsNamedWithinTwoHundredFramesAndAllOthersStayNormal(long seed) {
        PoolView view = new Fleet(seed, 1, new double[] {1, 1, 1.2, 1}).run(200);

        assertThat(verdicts(view))
                .containsExactly(SpeedVerdict.NORMAL, SpeedVerdict.NORMAL, SpeedVerdict.SLOW, SpeedVerdict.NORMAL);
        assertThat(view.slowWorkers()).extracting(WorkerView::workerId).containsExactly("w2");
        assertThat(factor(view, 2)).isEqualTo(1.2, within(0.04));
        assertThat(factor(view, 0)).isEqualTo(1, within(0.04));
    }

    @Test
    void aSlowWorkerDoesNotSpoilThePredictionsOfTheOthersAndIsPredictedAsWellAsThey() {
        Fleet even = new Fleet(1, 1, 1, 1, 1);
        Fleet uneven = new Fleet(1, 1, 1, 1.2, 1);
        even.run(1500);
        uneven.run(1500);

        for (int worker : new int[] {0, 1, 3}) {
            assertThat(uneven.meanError(worker, 300)).isLessThan(1.05 * even.meanError(worker, 300));
        }
        // The slow one is put right by its factor, which wanders by about a percent.
        assertThat(uneven.meanError(2, 300)).isLessThan(1.1 * even.meanError(2, 300));
    }

    @Test
    void latencyAtASlowWorkerIsPredictedByItsOwnPace() {
        Fleet fleet = new Fleet(1, 1, 1, 1.2, 1);
        fleet.run(400);
        Arrays.fill(fleet.batches, 25);
        PoolView view = fleet.run(FRAMES_PER_TICK);

        LatencyPredictor predictor = new LatencyPredictor();
        double[] itl = new double[4];
        for (int worker = 0; worker < itl.length; worker++) {
            LatencyQuery query = new LatencyQuery(500, OptionalLong.of(0), Optional.of("w" + worker));
            itl[worker] = ((LatencyPrediction.Predicted) predictor.predict(view, query))
                    .itl()
                    .orElseThrow()
                    .p50Seconds();
        }
        // Batches wander for a few steps, which is worth some percent.
        assertThat(itl[2] / ((itl[0] + itl[1] + itl[3]) / 3)).isEqualTo(1.2, within(0.08));
    }

    @Test
    void ofTwoThatDifferTheSlowerOneIsNamed() {
        PoolView view = new Fleet(1, 1.25, 1).run(300);

        assertThat(verdicts(view)).containsExactly(SpeedVerdict.SLOW, SpeedVerdict.NORMAL);
        assertThat(factor(view, 0)).isEqualTo(1.25, within(0.06));
    }

    @Test
    void aFastWorkerOfFourIsNamedToo() {
        assertThat(verdicts(new Fleet(1, 1, 0.75, 1, 1).run(300)))
                .containsExactly(SpeedVerdict.NORMAL, SpeedVerdict.FAST, SpeedVerdict.NORMAL, SpeedVerdict.NORMAL);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.75, 1.25, 2})
    void nobodyIsBlamedWhenAllChangeTogether(double change) {
        Fleet fleet = new Fleet(1, 1, 1, 1, 1);
        fleet.run(400);
        fleet.common = change;
        for (int i = 0; i < 20; i++) {
            assertThat(verdicts(fleet.run(FRAMES_PER_TICK))).containsOnly(SpeedVerdict.NORMAL);
        }
    }

    @Test
    void aWorkerThatIsThrottledAndRecoversIsNamedOnlyMeanwhile() {
        Fleet fleet = new Fleet(1, 1, 1, 1, 1);
        assertThat(verdicts(fleet.run(500))).containsOnly(SpeedVerdict.NORMAL);
        fleet.factors[1] = 1.3;
        assertThat(verdicts(fleet.run(200)))
                .containsExactly(SpeedVerdict.NORMAL, SpeedVerdict.SLOW, SpeedVerdict.NORMAL, SpeedVerdict.NORMAL);
        fleet.factors[1] = 1;
        assertThat(verdicts(fleet.run(200))).containsOnly(SpeedVerdict.NORMAL);
    }

    @Test
    void theRanksOfASlowWorkerAreSlowTogether() {
        PoolView view = new Fleet(4, 1, 1.2, 1).run(200);

        assertThat(verdicts(view)).containsExactly(SpeedVerdict.NORMAL, SpeedVerdict.SLOW, SpeedVerdict.NORMAL);
        assertThat(view.workers().get(1).ranks())
                .extracting(rank -> rank.speed().verdict())
                .containsOnly(SpeedVerdict.SLOW);
    }

    @Test
    void aSingleWorkerHasNobodyToBeComparedWith() {
        PoolView view = new Fleet(4, 1.5).run(300);

        assertThat(verdicts(view)).containsExactly(SpeedVerdict.UNKNOWN);
        assertThat(factor(view, 0)).isEqualTo(1);
    }

    @Test
    void tooFewFramesSayNothing() {
        PoolView view = new Fleet(1, 1, 1, 2, 1).run(40);

        assertThat(verdicts(view)).containsOnly(SpeedVerdict.UNKNOWN);
    }

    @Test
    void sameFramesGiveSameFactors() {
        double[] first = factors(new Fleet(1, 1, 1, 1.2, 1).run(400));

        assertThat(factors(new Fleet(1, 1, 1, 1.2, 1).run(400))).isEqualTo(first);
    }

    private static double[] factors(PoolView view) {
        double[] factors = new double[view.workers().size()];
        Arrays.setAll(factors, worker -> factor(view, worker));
        return factors;
    }
}
