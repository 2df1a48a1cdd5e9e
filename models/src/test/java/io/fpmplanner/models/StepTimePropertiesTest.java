/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class StepTimePropertiesTest {
    private final StepWorkload step = new StepWorkload();

    /** Whatever was learned, even from noise without any law, answers stay finite, positive and ordered. */
    @Property(tries = 200)
    void answersAreFinitePositiveAndOrdered(@ForAll long seed, @ForAll @IntRange(min = 2, max = 400) int frames) {
        Random random = new Random(seed);
        StepTimeModel model = lawless(random, frames);
        if (model.isCold()) {
            return;
        }
        StepTimePredictor predictor = model.snapshot().predictor();
        for (int i = 0; i < 50; i++) {
            randomStep(random, 4);
            double previous = 0;
            for (double probability : new double[] {0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999}) {
                double quantile = predictor.quantileSeconds(step, probability);
                assertThat(quantile).isFinite().isPositive().isGreaterThanOrEqualTo(previous);
                previous = quantile;
            }
            assertThat(predictor.medianSeconds(step)).isFinite().isPositive();
            assertThat(predictor.meanSeconds(step)).isFinite().isPositive();
        }
    }

    @Property(tries = 200)
    void coefficientsAreNeverNegative(@ForAll long seed, @ForAll @IntRange(min = 2, max = 400) int frames) {
        assertThat(lawless(new Random(seed), frames).snapshot().report().coefficients())
                .hasSize(16)
                .allMatch(coefficient -> coefficient.value() >= 0 && Double.isFinite(coefficient.value()));
    }

    /** More requests of the same context never decode faster; the capacity search relies on it. */
    @Property(tries = 200)
    void decodeTimeNeverFallsAsTheBatchGrows(
            @ForAll long seed,
            @ForAll @IntRange(min = 30, max = 600) int frames,
            @ForAll @DoubleRange(min = 0, max = 100_000) double contextTokens) {
        StepTimePredictor predictor =
                lawless(new Random(seed), frames).snapshot().predictor();
        double previous = 0;
        for (int batch = 1; batch <= 600; batch++) {
            double seconds = predictor.medianSeconds(step.clear().decode(batch, batch * contextTokens, 0));
            assertThat(seconds).isGreaterThanOrEqualTo(previous * (1 - 1e-9));
            previous = seconds;
        }
    }

    @Property(tries = 100)
    void decodeTimeNeverFallsAsContextsGrow(@ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int batch) {
        StepTimePredictor predictor = lawless(new Random(seed), 300).snapshot().predictor();
        double previous = 0;
        for (double context = 0; context < 1e6; context = 1.5 * context + 100) {
            double seconds = predictor.medianSeconds(step.clear().decode(batch, batch * context, 0));
            assertThat(seconds).isGreaterThanOrEqualTo(previous);
            previous = seconds;
        }
    }

    @Property(tries = 50)
    void theSameFramesGiveTheSameModel(@ForAll long seed) {
        StepTimeModel one = lawless(new Random(seed), 300);
        StepTimeModel two = lawless(new Random(seed), 300);
        assertThat(one.snapshot().report()).isEqualTo(two.snapshot().report());
    }

    private StepTimeModel lawless(Random random, int frames) {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        for (int i = 0; i < frames; i++) {
            randomStep(random, 1);
            model.observe(step, 0.01 * Math.exp(random.nextGaussian()));
        }
        return model;
    }

    private void randomStep(Random random, double stretch) {
        boolean prefill = random.nextBoolean();
        boolean decode = !prefill || random.nextBoolean();
        step.clear();
        if (prefill) {
            step.prefill(
                    1 + random.nextInt(8), 1 + stretch * random.nextInt(8192), stretch * random.nextInt(20_000), 0);
        }
        if (decode) {
            double requests = 1 + stretch * random.nextInt(64);
            step.decode(requests, requests * random.nextInt(8000), 1e6 * random.nextDouble());
        }
    }
}
