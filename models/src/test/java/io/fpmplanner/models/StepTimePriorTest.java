/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Warm starts on recorded streams: what the right prior buys and what a wrong one costs. */
class StepTimePriorTest {
    private static StepTimePrior learned(Recording recording) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        recording.forEach(model::observe);
        return new StepTimePrior(recording.name(), model.export());
    }

    private static double[] errors(StepTimeModel model, Recording recording) {
        double[] seconds = Trial.measured(recording);
        double[] errors = new double[seconds.length];
        int[] t = new int[1];
        recording.forEach((step, measured) -> {
            errors[t[0]++] = model.isCold() ? 1 : Math.min(1, Math.abs(model.predictSeconds(step) / measured - 1));
            model.observe(step, measured);
        });
        return errors;
    }

    private static double[] warm(StepTimePrior prior, Recording recording) {
        return errors(new StepTimeModel(StepTimeSettings.defaults(), prior), recording);
    }

    private static double[] cold(Recording recording) {
        return errors(new StepTimeModel(StepTimeSettings.defaults()), recording);
    }

    /** Every prior on every other recording. */
    @Test
    void aWrongPriorCostsNothingAfterTwoHundredFrames() {
        List<Recording> recordings = Recording.all();
        Map<String, StepTimePrior> priors =
                recordings.stream().collect(Collectors.toMap(Recording::name, StepTimePriorTest::learned));
        for (Recording target : recordings) {
            double[] cold = cold(target);
            priors.forEach((name, prior) -> {
                if (!name.equals(target.name())) {
                    double[] warm = warm(prior, target);
                    assertThat(Trial.mean(warm, Trial.SCORED_FROM, Integer.MAX_VALUE))
                            .as("%s after the prior of %s", target.name(), name)
                            .isLessThan(1.02 * Trial.mean(cold, Trial.SCORED_FROM, Integer.MAX_VALUE));
                    assertThat(Trial.mean(warm, 0, Trial.SCORED_FROM))
                            .as("first frames of %s after the prior of %s", target.name(), name)
                            .isLessThan(1.1 * Trial.mean(cold, 0, Trial.SCORED_FROM));
                }
            });
        }
    }

    /**
     * The planner starts beside an engine that has long compiled what it runs: learned from the first half of a recording,
     * asked in the second. (The first frames of a recording itself are stalls that nothing can predict.)
     */
    @Test
    void theRightPriorHelpsFromTheFirstFrame() {
        double[] gains = new double[Recording.all().size()];
        int i = 0;
        for (Recording recording : Recording.all()) {
            int half = recording.frames().size() / 2;
            Recording later = recording.part(half, recording.frames().size());
            double[] cold = cold(later);
            double[] warm = warm(learned(recording.part(0, half)), later);
            gains[i++] = Trial.mean(warm, 0, 50) / Trial.mean(cold, 0, 50);
            assertThat(gains[i - 1]).as(recording.name()).isLessThan(0.8);
        }
        assertThat(Trial.median(gains)).isLessThan(0.3);
    }

    @Test
    void aWarmModelSaysSoAndIsReadyOnlyByItsOwnFrames() {
        StepWorkload step = new StepWorkload().decode(8, 8000, 0);
        StepTimeModel teacher = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < 100; i++) {
            teacher.observe(step, 0.02);
        }
        StepTimeModel model =
                new StepTimeModel(StepTimeSettings.defaults(), new StepTimePrior("engine", teacher.export()));

        assertThat(model.isCold()).isFalse();
        StepTimeSnapshot fresh = model.snapshot();
        assertThat(fresh.evidence()).isEqualTo(Evidence.WARMING);
        assertThat(fresh.evidence(step)).isEqualTo(Evidence.WARMING);
        assertThat(fresh.readiness())
                .extracting(RegimeReadiness::evidence)
                .containsExactly(Evidence.COLD, Evidence.WARMING, Evidence.COLD);
        assertThat(fresh.predictor().medianSeconds(step)).isEqualTo(0.02, within(1e-3));
        assertThat(fresh.report().prior()).hasValue(new ModelReport.PriorReport("engine", 0, 1, 0));

        for (int i = 0; i < 29; i++) {
            model.observe(step, 0.02);
        }
        assertThat(model.evidence(step)).isEqualTo(Evidence.WARMING);
        for (int i = 0; i < 2; i++) {
            model.observe(step, 0.02);
        }
        assertThat(model.evidence(step)).isEqualTo(Evidence.READY);
        for (int i = 0; i < 200; i++) {
            model.observe(step, 0.02);
        }
        assertThat(model.snapshot().report().prior()).hasValue(new ModelReport.PriorReport("engine", 0, 0, 0));
    }

    @Test
    void aPriorThatErrsByHalfIsRefutedWithinTwentyFramesEvenForRegimesNotSeenYet() {
        StepWorkload decode = new StepWorkload().decode(8, 8000, 0);
        StepWorkload prefill = new StepWorkload().prefill(1, 1000, 0, 0);
        StepTimeModel teacher = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < 100; i++) {
            teacher.observe(decode, 0.03);
            teacher.observe(prefill, 0.3);
        }
        StepTimeModel model =
                new StepTimeModel(StepTimeSettings.defaults(), new StepTimePrior("other engine", teacher.export()));
        for (int i = 0; i < 20; i++) {
            model.observe(decode, 0.02);
        }

        assertThat(model.predictSeconds(decode)).isEqualTo(0.02, within(1e-3));
        assertThat(model.snapshot().report().prior()).hasValue(new ModelReport.PriorReport("other engine", 0, 0, 0));
    }

    @Test
    void aPriorThatLearnedNothingIsRefused() {
        LearnedStepTimes nothing = new StepTimeModel(StepTimeSettings.defaults()).export();

        assertThatThrownBy(() -> new StepTimePrior("empty", nothing)).hasMessageContaining("has learned from no frame");
    }
}
