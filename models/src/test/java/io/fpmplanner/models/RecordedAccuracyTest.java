/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the learner reaches on recorded streams, predicting each step before learning it. Bounds are those promised in
 * the documentation; what is reached is a little better.
 */
class RecordedAccuracyTest {
    /** Mean absolute relative error from frame 200 on. */
    private static final Map<String, Double> PROMISED = Map.of(
            "qwen3-32b_tp1", 0.015,
            "qwen3-32b_tp8", 0.0075,
            "qwen3_6-35b-a3b_tp4_ep4", 0.0125,
            "qwen3_6-35b-a3b_tp1_ep1", 0.04,
            "qwen3_6-35b-a3b_tp1_dp4_ep4", 0.0305,
            "dsv4-flash_tp4_ep4", 0.0585,
            "dsv4-flash_tp1_dp4_ep4", 0.083,
            "trtllm_b200_gpt_oss_120b_mixed_fp4_fpms", 0.126);

    @Test
    void errorOfEachRecordingAndOfTheirMedian() {
        List<Recording> recordings = Recording.all();
        double[] errors = new double[recordings.size()];
        for (int i = 0; i < errors.length; i++) {
            Recording recording = recordings.get(i);
            errors[i] = Trial.mean(Trial.errors(recording), Trial.SCORED_FROM, Integer.MAX_VALUE);
            assertThat(errors[i]).as(recording.name()).isLessThan(PROMISED.getOrDefault(recording.name(), 0.15));
        }
        assertThat(recordings).hasSizeGreaterThanOrEqualTo(8);
        assertThat(Trial.median(errors)).isLessThan(0.034);
    }

    @Test
    void intervalsCoverWhatTheySayOnEachRecording() {
        for (Recording recording : Recording.all()) {
            for (double share : new double[] {0.5, 0.8, 0.9, 0.99}) {
                assertThat(Trial.coverage(recording, share))
                        .as("%s, %s interval", recording.name(), share)
                        .isBetween(share - 0.02, share + 0.02);
            }
        }
    }

    @Test
    void sumsOfFourHundredStepsComeOutRight() {
        for (Recording recording : Recording.all()) {
            double bound = recording.name().startsWith("qwen") ? 0.03 : 0.1;
            assertThat(Trial.medianErrorOfSums(recording)).as(recording.name()).isLessThan(bound);
        }
    }

    /** Scored against the times before noise was added. */
    @Test
    void noiseAndStragglersCostLittle() {
        List<Recording> recordings = Recording.all();
        double[] costs = recordings.stream().mapToDouble(Trial::costOfNoise).toArray();

        assertThat(Arrays.stream(costs).max().orElseThrow()).isLessThan(0.0038);
        assertThat(Trial.median(costs)).isLessThan(0.003);
    }

    @Test
    void followsAClockChangeOfAQuarterWithinTwentyFiveSteps() {
        for (Recording recording : Recording.all()) {
            if (recording.name().startsWith("trtllm")) {
                continue; // its scatter alone exceeds 10 %
            }
            double[] seconds = Trial.measured(recording);
            int change = seconds.length / 2;
            double[] slower = Trial.withSlowerClock(seconds, change);
            assertThat(Trial.recovery(Trial.errors(recording, slower, slower), change))
                    .as(recording.name())
                    .isBetween(0, 25);
        }
    }

    /**
     * Every ordered pair: learned the one, goes on with the start of the other, whose own compile stalls are part of it: a
     * cold model needs up to 42 steps on seven of them, and 270 on the eighth.
     */
    @Test
    void recoversFromMostSwitchesToAnEngineThatStartsWithinFiftySteps() {
        double[] steps = recoveriesFromSwitches(0);

        assertThat(Trial.median(steps)).isLessThanOrEqualTo(38);
        assertThat(within(steps, 50)).isGreaterThanOrEqualTo(40);
    }

    /** As above, but the other engine is warm. What fails is TensorRT-LLM, where a cold model needs 91 steps. */
    @Test
    void recoversFromMostSwitchesToAWarmEngineWithinFiftySteps() {
        double[] steps = recoveriesFromSwitches(1000);

        assertThat(Trial.median(steps)).isLessThanOrEqualTo(12);
        assertThat(within(steps, 50)).isGreaterThanOrEqualTo(46);
    }

    private static double[] recoveriesFromSwitches(int firstStep) {
        List<Recording> recordings = Recording.all();
        return recordings.stream()
                .flatMap(from -> recordings.stream()
                        .filter(to -> !to.name().equals(from.name()))
                        .map(to -> Trial.switched(
                                from, to.part(firstStep, to.frames().size()))))
                .mapToDouble(errors -> Trial.recovery(errors, 0))
                .map(recovery -> recovery < 0 ? Double.POSITIVE_INFINITY : recovery)
                .toArray();
    }

    private static long within(double[] steps, int limit) {
        return Arrays.stream(steps).filter(recovery -> recovery <= limit).count();
    }

    @Test
    void givesUpNothingOfAnEngineThatStaysTheSameNoiseOrNot() {
        for (Recording recording : Recording.all()) {
            double[] clean = Trial.measured(recording);
            for (double[] seconds : List.of(clean, Trial.withNoise(clean, 7))) {
                StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
                int[] t = new int[1];
                recording.forEach((step, ignored) -> model.observe(step, seconds[t[0]++]));
                assertThat(model.snapshot().report().driftResets())
                        .as(recording.name())
                        .isZero();
            }
        }
    }
}
