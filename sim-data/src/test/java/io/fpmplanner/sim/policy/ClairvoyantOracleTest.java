/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.sim.engine.EngineKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A make-believe run: each second brings requests, one replica answers ten, those beyond are bad. */
class ClairvoyantOracleTest {
    private static final int SECONDS = 200;

    private final ScalingTask task = Situations.task(EngineKind.AGGREGATED);
    private final Rehearsal rehearsal = new Rehearsal() {
        @Override
        public int seconds() {
            return SECONDS;
        }

        @Override
        public List<Arrival> arrivals() {
            List<Arrival> arrivals = new ArrayList<>();
            for (int second = 0; second < SECONDS; second++) {
                for (int i = 0; i < load(second); i++) {
                    arrivals.add(new Arrival(second, 500, 10));
                }
            }
            return arrivals;
        }

        @Override
        public Outcome play(Autoscaler policy) {
            int[] ordered = new int[SECONDS + 1];
            long good = 0;
            double gpuSeconds = 0;
            ordered[0] = 1;
            for (int second = 1; second <= SECONDS; second++) {
                ordered[second] =
                        policy.decide(Situations.dark(second, 1)).get(0).desired();
                gpuSeconds += ordered[second - 1];
                int ready = ordered[second];
                for (int before = Math.max(0, second - 30); before < second; before++) {
                    ready = Math.min(ready, ordered[before]);
                }
                good += Math.min(load(second - 1), 10 * ready);
            }
            return new Outcome((double) good / arrivals().size(), good, gpuSeconds);
        }
    };

    private static int load(int second) {
        return second >= 100 && second < 140 ? 40 : 8;
    }

    @Test
    void ordersForAWaveBeforeItComesAndGivesBackAfterIt() {
        Rehearsal.Outcome outcome = rehearsal.play(ClairvoyantOracle.forAttainment(task, rehearsal));

        assertThat(outcome.goodRate()).isGreaterThanOrEqualTo(0.97);
        // One for 200 s and three more for 40 s and their cold start are 410; as good as nothing is wasted.
        assertThat(outcome.gpuSeconds()).isBetween(380.0, 470.0);
    }

    @Test
    void whoOrdersAtOnceButNotAheadLosesWhatComesBeforeItsReplicasAreReady() {
        Rehearsal.Outcome outcome = rehearsal.play(PromptReference.of(task, rehearsal));

        // Of the wave of 40 s the first 30 are a cold start, with one replica for ten of 40 requests a second: 900 of
        // 2,880
        // are lost at least. A few seconds more go by until a window shows what comes.
        assertThat(outcome.goodRate()).isBetween(1 - 1100.0 / 2880, 1 - 900.0 / 2880);
    }

    @Test
    void theMostProductiveFleetIsAtLeastAsProductiveAsTheAmpleOneAndAnyConstantOne() {
        Rehearsal.Outcome ample = rehearsal.play(ClairvoyantOracle.forAttainment(task, rehearsal));
        Rehearsal.Outcome productive = rehearsal.play(ClairvoyantOracle.forGoodput(task, rehearsal));

        assertThat(productive.goodputPerGpu()).isGreaterThanOrEqualTo(ample.goodputPerGpu());
        for (int n = 1; n <= 10; n++) {
            assertThat(productive.goodputPerGpu())
                    .isGreaterThanOrEqualTo(
                            rehearsal.play(new StaticReplicas(task, n)).goodputPerGpu());
        }
    }
}
