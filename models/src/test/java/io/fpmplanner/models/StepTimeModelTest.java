/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepTimeModelTest {
    private final StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
    private final StepWorkload step = new StepWorkload();

    @Test
    void coldModelHasNoPrediction() {
        StepTimeSnapshot snapshot = model.snapshot();

        assertThat(model.isCold()).isTrue();
        assertThat(snapshot.evidence()).isEqualTo(Evidence.COLD);
        assertThat(snapshot.readiness()).hasSize(3).allSatisfy(regime -> {
            assertThat(regime.evidence()).isEqualTo(Evidence.COLD);
            assertThat(regime.framesNeeded()).isEqualTo(30);
            assertThat(regime.mape()).isEmpty();
        });
        StepTimePredictor predictor = snapshot.predictor();
        assertThatIllegalStateException().isThrownBy(() -> predictor.medianSeconds(decode(4, 4000)));
        assertThatIllegalStateException().isThrownBy(() -> predictor.quantileSeconds(decode(4, 4000), 0.9));
        assertThatIllegalStateException().isThrownBy(() -> model.predictSeconds(decode(4, 4000)));
    }

    @Test
    void emptyStepHasNoPrediction() {
        learnDecode(50);

        assertThatIllegalArgumentException().isThrownBy(() -> model.predictSeconds(step.clear()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> model.snapshot().predictor().meanSeconds(step.clear()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.01, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void impossibleWallTimesTeachNothing(double wallTimeSeconds) {
        learnDecode(50);
        double before = model.predictSeconds(decode(8, 8000));

        model.observe(decode(8, 8000), wallTimeSeconds);

        assertThat(model.predictSeconds(decode(8, 8000))).isEqualTo(before);
        assertThat(model.snapshot().report().framesRefused()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void impossibleLoadsTeachNothing(double kvTokens) {
        learnDecode(50);
        double before = model.predictSeconds(decode(8, 8000));

        model.observe(decode(8, kvTokens), 0.02);
        model.observe(step.clear(), 0.02);

        assertThat(model.predictSeconds(decode(8, 8000))).isEqualTo(before);
        assertThat(model.snapshot().report().framesRefused()).isEqualTo(2);
    }

    @Test
    void firstStepOfAKindWaitsForConfirmation() {
        model.observe(decode(8, 8000), 4.5);
        assertThat(model.isCold()).isTrue();

        model.observe(decode(8, 8000), 0.02);
        assertThat(model.isCold()).isTrue();

        model.observe(decode(8, 8000), 0.021);
        assertThat(model.isCold()).isFalse();
        assertThat(model.predictSeconds(decode(8, 8000))).isEqualTo(0.021, within(1e-9));
        assertThat(model.snapshot().report().framesQuarantined()).isEqualTo(2);
    }

    @Test
    void learnsAnAffineEngine() {
        learnDecode(2000);

        StepTimePredictor predictor = model.snapshot().predictor();
        for (int batch = 1; batch <= 32; batch += 5) {
            assertThat(predictor.medianSeconds(decode(batch, 500.0 * batch)))
                    .isEqualTo(decodeSeconds(batch, 500.0 * batch), within(0.02 * decodeSeconds(batch, 500.0 * batch)));
        }
    }

    @Test
    void evidenceGrowsPerRegimeAndNamesExtrapolation() {
        learnDecode(20);
        assertThat(model.snapshot().evidence()).isEqualTo(Evidence.WARMING);

        learnDecode(200);
        StepTimeSnapshot snapshot = model.snapshot();
        assertThat(snapshot.evidence()).isEqualTo(Evidence.READY);
        assertThat(snapshot.evidence(decode(30, 30_000))).isEqualTo(Evidence.READY);
        assertThat(snapshot.evidence(decode(64, 30_000))).isEqualTo(Evidence.EXTRAPOLATING);
        assertThat(snapshot.extrapolation(decode(64, 30_000))).isEqualTo(2, within(0.05));
        assertThat(snapshot.evidence(step.prefill(1, 100, 0, 0).decode(0, 0, 0)))
                .isEqualTo(Evidence.COLD);
        assertThat(snapshot.predictor().medianSeconds(step)).isPositive().isFinite();
    }

    @Test
    void extrapolationWidensTheInterval() {
        learnDecode(2000);
        StepTimePredictor predictor = model.snapshot().predictor();

        assertThat(relativeWidth(predictor, decode(64, 64_000)))
                .isGreaterThan(2 * relativeWidth(predictor, decode(32, 32_000)));
    }

    @Test
    void aSnapshotDoesNotChangeWhileTheModelLearnsOn() {
        learnDecode(200);
        StepTimeSnapshot snapshot = model.snapshot();
        double before = snapshot.predictor().quantileSeconds(decode(16, 16_000), 0.9);

        for (int i = 0; i < 500; i++) {
            model.observe(decode(16, 16_000), 0.5);
        }

        assertThat(snapshot.predictor().quantileSeconds(decode(16, 16_000), 0.9))
                .isEqualTo(before);
        assertThat(snapshot.report().driftResets()).isZero();
        assertThat(model.snapshot().report().driftResets()).isPositive();
    }

    @Test
    void absurdLoadsSpoilNeitherTheFitNorTheRangeSeen() {
        learnDecode(2000);
        double before = model.predictSeconds(decode(32, 32_000));

        model.observe(decode(16, 6e10), 0.02);
        model.observe(decode(16, 6e10), 0.02);
        learnDecode(50);

        assertThat(model.predictSeconds(decode(32, 32_000))).isEqualTo(before, within(0.02 * before));
        assertThat(model.snapshot().evidence(decode(32, 320_000))).isEqualTo(Evidence.EXTRAPOLATING);
    }

    @Test
    void meansOfSkewedTimesAddUp() {
        Random random = new Random(4);
        double measured = 0;
        double means = 0;
        double medians = 0;
        for (int i = 0; i < 4000; i++) {
            int batch = 1 + random.nextInt(32);
            double seconds = decodeSeconds(batch, 500.0 * batch) * (random.nextInt(10) == 0 ? 3 : 1);
            if (i >= 2000) {
                StepTimePredictor predictor = model.snapshot().predictor();
                measured += seconds;
                means += predictor.meanSeconds(decode(batch, 500.0 * batch));
                medians += predictor.medianSeconds(decode(batch, 500.0 * batch));
            }
            model.observe(decode(batch, 500.0 * batch), seconds);
        }

        assertThat(means / measured).isEqualTo(1, within(0.03));
        assertThat(medians / measured).isEqualTo(1 / 1.2, within(0.03));
    }

    @Test
    void recoversFromAnotherEngineWithinFiftyFrames() {
        learnDecode(2000);
        Random random = new Random(5);
        for (int i = 0; i < 50; i++) {
            int batch = 1 + random.nextInt(32);
            model.observe(decode(batch, 500.0 * batch), 4 * decodeSeconds(batch, 500.0 * batch));
        }

        double expected = 4 * decodeSeconds(20, 10_000);
        assertThat(model.predictSeconds(decode(20, 10_000))).isEqualTo(expected, within(0.1 * expected));
    }

    @Test
    void beginsAnewWhenSomeStepsBecomeSlowerAndOthersFaster() {
        learnDecode(2000);
        learnProportional(28);
        StepTimeSnapshot early = model.snapshot();
        learnProportional(22);

        assertThat(early.report().driftResets()).isEqualTo(1);
        assertThat(early.report().framesLearned()).isBetween(10L, 29L);
        assertThat(early.evidence()).isEqualTo(Evidence.WARMING);
        assertThat(model.snapshot().report().driftResets()).isEqualTo(1);
        assertThat(model.predictSeconds(decode(20, 10_000))).isEqualTo(0.016, within(0.0016));
        assertThat(model.predictSeconds(decode(28, 14_000))).isEqualTo(0.0224, within(0.00224));
    }

    /** Small batches are faster than those of {@link #decodeSeconds}, large ones slower. */
    private void learnProportional(int frames) {
        Random random = new Random(6);
        for (int i = 0; i < frames; i++) {
            int batch = 1 + random.nextInt(32);
            model.observe(decode(batch, 500.0 * batch), 8e-4 * batch);
        }
    }

    private double relativeWidth(StepTimePredictor predictor, StepWorkload step) {
        return (predictor.quantileSeconds(step, 0.95) - predictor.quantileSeconds(step, 0.05))
                / predictor.medianSeconds(step);
    }

    private void learnDecode(int frames) {
        Random random = new Random(1);
        for (int i = 0; i < frames; i++) {
            int batch = 1 + random.nextInt(32);
            double kvTokens = batch * (double) (500 + random.nextInt(500));
            model.observe(decode(batch, kvTokens), decodeSeconds(batch, kvTokens) * (1 + 0.01 * random.nextGaussian()));
        }
    }

    private static double decodeSeconds(double batch, double kvTokens) {
        return 0.01 + 1e-4 * batch + 1e-7 * kvTokens;
    }

    private StepWorkload decode(double requests, double kvTokens) {
        return step.prefill(0, 0, 0, 0).decode(requests, kvTokens, 0);
    }
}
