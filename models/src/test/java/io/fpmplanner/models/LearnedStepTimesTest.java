/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedStepTimesTest {
    private final StepWorkload step = new StepWorkload();

    private StepTimeModel learned(long seed, int frames) {
        Random random = new Random(seed);
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < frames; i++) {
            fill(random);
            model.observe(step, seconds() * Math.exp(0.02 * random.nextGaussian()));
        }
        return model;
    }

    private void fill(Random random) {
        step.clear().decode(1 + random.nextInt(64), random.nextInt(100_000), random.nextInt(10_000));
        if (random.nextInt(8) == 0) {
            step.prefill(1 + random.nextInt(4), 1 + random.nextInt(4096), random.nextInt(4096), 0);
        }
    }

    private double seconds() {
        return 0.008 + 1e-4 * step.decodeRequests() + 2e-5 * step.prefillTokens() + 3e-8 * step.decodeKvTokens();
    }

    @Test
    void aRestoredModelPredictsAsTheOneExported() {
        StepTimeModel model = learned(1, 3000);
        StepTimeModel restored = StepTimeModel.restore(model.export());
        StepTimePredictor before = model.snapshot().predictor();
        StepTimePredictor after = restored.snapshot().predictor();

        Random random = new Random(9);
        for (int i = 0; i < 500; i++) {
            fill(random);
            // The fit of a learner trails its minimum a little, and how recent each bucket is, is not kept.
            assertThat(after.medianSeconds(step) / before.medianSeconds(step)).isEqualTo(1, within(0.05));
            assertThat(after.meanSeconds(step) / before.meanSeconds(step)).isEqualTo(1, within(0.05));
            assertThat(after.evidence(step)).isEqualTo(before.evidence(step));
        }
    }

    @Test
    void aResumedModelIsReadyOnlyOnceItsEngineIsSeenToBeTheSame() {
        StepTimeModel resumed = StepTimeModel.resume(learned(1, 3000).export(), Optional.empty());
        assertThat(resumed.isCold()).isFalse();
        assertThat(resumed.snapshot().evidence()).isEqualTo(Evidence.WARMING);
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            fill(random);
            resumed.observe(step, seconds() * Math.exp(0.02 * random.nextGaussian()));
        }
        assertThat(resumed.snapshot().evidence()).isEqualTo(Evidence.READY);
        assertThat(resumed.snapshot().report().restored().orElseThrow().decodeFrames())
                .isZero();
    }

    @Test
    void anotherEngineIsNotTakenForTheOneBeforeThePause() {
        StepTimeModel resumed = StepTimeModel.resume(learned(1, 3000).export(), Optional.empty());
        Random random = new Random(6);
        int readyAfter = 0;
        while (resumed.snapshot().evidence() != Evidence.READY) {
            fill(random);
            resumed.observe(step, 2.5 * seconds() * Math.exp(0.02 * random.nextGaussian()));
            readyAfter++;
        }
        assertThat(readyAfter).isGreaterThan(30);
        double error = 0;
        for (int i = 0; i < 100; i++) {
            fill(random);
            error += Math.abs(resumed.predictSeconds(step) / (2.5 * seconds()) - 1) / 100;
        }
        assertThat(error).as("mean error when it says it is ready").isLessThan(0.2);
    }

    @Test
    void exportingTwiceGivesTheSame() {
        LearnedStepTimes learned = learned(2, 1000).export();
        LearnedStepTimes again = StepTimeModel.restore(learned).export();

        assertThat(again.squares()).isEqualTo(learned.squares());
        assertThat(again.regimes()).isEqualTo(learned.regimes());
        assertThat(again.scales()).isEqualTo(learned.scales());
        assertThat(again.corrections()).isEqualTo(learned.corrections());
        assertThat(again).isEqualTo(learned);
    }

    @Test
    void aRestoredModelGoesOnLearningAsWellAsTheOriginal() {
        StepTimeModel model = learned(3, 2000);
        StepTimeModel restored = StepTimeModel.restore(model.export());
        Random random = new Random(4);
        double[] errors = new double[2];
        for (int i = 0; i < 500; i++) {
            fill(random);
            double seconds = seconds() * Math.exp(0.02 * random.nextGaussian());
            errors[0] += Math.abs(model.predictSeconds(step) / seconds - 1);
            errors[1] += Math.abs(restored.predictSeconds(step) / seconds - 1);
            model.observe(step, seconds);
            restored.observe(step, seconds);
        }
        assertThat(errors[1]).isLessThan(1.02 * errors[0]);
        assertThat(restored.snapshot().readiness())
                .allMatch(regime -> regime.coverage90().stream().allMatch(share -> share > 0.8));
    }

    @Test
    void anEmptyModelCanBeExportedToo() {
        LearnedStepTimes nothing = new StepTimeModel(StepTimeSettings.defaults()).export();

        assertThat(StepTimeModel.restore(nothing).isCold()).isTrue();
        LearnedStepTimes some = learned(5, 300).export();
        assertThat(nothing.mergedWith(some)).isEqualTo(some);
        assertThat(some.mergedWith(nothing)).isEqualTo(some);
    }

    /** At equal weights and without forgetting the sums of two learners are those of one that saw both. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void mergedSumsAreThoseOfOneLearnerWhateverTheOrder(long seed) {
        Random random = new Random(seed);
        List<double[]> frames = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            frames.add(random.doubles(Feature.COUNT + 2).toArray());
        }
        LearnedStepTimes.SquareSums first = sums(1, frames.subList(0, 250));
        LearnedStepTimes.SquareSums second = sums(1, frames.subList(250, 600));
        Collections.shuffle(frames, random);

        assertSame(merge(first, second), sums(1, frames));
    }

    /** With forgetting each stream ages by its own frames: the closed form of the weights. */
    @Test
    void mergedSumsUnderForgettingWeighEachFrameByItsAgeInItsOwnStream() {
        double forgetting = 0.99;
        Random random = new Random(7);
        List<double[]> frames = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            frames.add(random.doubles(Feature.COUNT + 2).toArray());
        }
        LearnedStepTimes.SquareSums merged =
                merge(sums(forgetting, frames.subList(0, 100)), sums(forgetting, frames.subList(100, 300)));
        for (int i = 0; i < 300; i++) {
            frames.get(i)[Feature.COUNT + 1] *= Math.pow(forgetting, i < 100 ? 99 - i : 299 - i);
        }

        LearnedStepTimes.SquareSums closedForm = sums(1, frames);
        assertSame(
                merged,
                new LearnedStepTimes.SquareSums(
                        (1 - Math.pow(forgetting, 100)) / (1 - forgetting)
                                + (1 - Math.pow(forgetting, 200)) / (1 - forgetting),
                        closedForm.weight(),
                        closedForm.targetEnergy(),
                        closedForm.information(),
                        closedForm.vector()));
    }

    private static LearnedStepTimes.SquareSums sums(double forgetting, List<double[]> frames) {
        ForgettingLeastSquares squares = new ForgettingLeastSquares(Feature.COUNT, forgetting, 1e-9);
        double[] x = new double[Feature.COUNT];
        for (double[] frame : frames) {
            System.arraycopy(frame, 0, x, 0, x.length);
            squares.add(x, frame[x.length], frame[x.length + 1]);
        }
        return squares.sums();
    }

    private static LearnedStepTimes.SquareSums merge(LearnedStepTimes.SquareSums a, LearnedStepTimes.SquareSums b) {
        return with(a).mergedWith(with(b)).squares();
    }

    private static LearnedStepTimes with(LearnedStepTimes.SquareSums squares) {
        LearnedStepTimes empty = new StepTimeModel(StepTimeSettings.defaults()).export();
        return new LearnedStepTimes(
                empty.version(),
                empty.settings(),
                empty.features(),
                empty.featureScales(),
                squares,
                1,
                empty.regimes(),
                empty.scales(),
                empty.corrections(),
                empty.seen());
    }

    private static void assertSame(LearnedStepTimes.SquareSums actual, LearnedStepTimes.SquareSums expected) {
        assertThat(actual.frames()).isEqualTo(expected.frames(), within(1e-9 * expected.frames()));
        assertThat(actual.weight()).isEqualTo(expected.weight(), within(1e-9 * expected.weight()));
        assertThat(actual.targetEnergy()).isEqualTo(expected.targetEnergy(), within(1e-9 * expected.targetEnergy()));
        for (int i = 0; i < expected.information().size(); i++) {
            double value = expected.information().get(i);
            assertThat(actual.information().get(i)).isEqualTo(value, within(1e-9 * Math.abs(value)));
        }
        for (int i = 0; i < expected.vector().size(); i++) {
            double value = expected.vector().get(i);
            assertThat(actual.vector().get(i)).isEqualTo(value, within(1e-9 * Math.abs(value)));
        }
    }

    /** End to end the weights depend on what was learned before, so this is close and not exact. */
    @Test
    void twoModelsMergedPredictLikeOneThatSawBoth() {
        StepTimeModel one = new StepTimeModel(StepTimeSettings.defaults());
        StepTimeModel two = new StepTimeModel(StepTimeSettings.defaults());
        StepTimeModel both = new StepTimeModel(StepTimeSettings.defaults());
        Random random = new Random(6);
        for (int i = 0; i < 2000; i++) {
            fill(random);
            (i % 2 == 0 ? one : two).observe(step, seconds());
            both.observe(step, seconds());
        }
        StepTimePredictor merged = StepTimeModel.restore(one.export().mergedWith(two.export()))
                .snapshot()
                .predictor();
        StepTimePredictor expected = both.snapshot().predictor();
        for (int i = 0; i < 500; i++) {
            fill(random);
            assertThat(merged.medianSeconds(step) / expected.medianSeconds(step))
                    .isEqualTo(1, within(0.05));
        }
    }

    @Test
    void refusesWhatNoModelLearned() {
        LearnedStepTimes good = learned(8, 500).export();
        List<Double> information = new ArrayList<>(good.squares().information());
        information.set(1, 10 * information.get(1));
        assertThatThrownBy(() -> with(squares(good, information)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("positive semi-definite");
        information.set(1, Double.NaN);
        assertThatThrownBy(() -> with(squares(good, information))).hasMessageContaining("squares.information must be");
        information.remove(1);
        assertThatThrownBy(() -> with(squares(good, information))).hasMessageContaining("136 entries, has 135");
        assertThatThrownBy(() -> form(good, 1, good.features())).hasMessage("version must be 3, was 1");
        List<String> features = new ArrayList<>(good.features());
        features.set(3, "flux");
        assertThatThrownBy(() -> form(good, LearnedStepTimes.VERSION, features))
                .hasMessageContaining("has 'flux', which");
        Collections.swap(features, 0, 1);
        features.set(3, good.features().get(3));
        assertThatThrownBy(() -> form(good, LearnedStepTimes.VERSION, features)).hasMessageContaining("in this order");
        assertThatThrownBy(() -> new LearnedStepTimes.Scale(0, 0, 1)).hasMessageContaining("scales.seconds");
    }

    private static LearnedStepTimes.SquareSums squares(LearnedStepTimes learned, List<Double> information) {
        LearnedStepTimes.SquareSums squares = learned.squares();
        return new LearnedStepTimes.SquareSums(
                squares.frames(), squares.weight(), squares.targetEnergy(), information, squares.vector());
    }

    private static LearnedStepTimes form(LearnedStepTimes learned, int version, List<String> features) {
        return new LearnedStepTimes(
                version,
                learned.settings(),
                features,
                learned.featureScales(),
                learned.squares(),
                learned.framesLearned(),
                learned.regimes(),
                learned.scales(),
                learned.corrections(),
                learned.seen());
    }
}
