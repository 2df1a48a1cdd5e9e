/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.workload.Request;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RooflineLawTest {
    private final RooflineLaw law = new RooflineLaw(TransformerSpec.LLAMA_3_1_8B, GpuSpec.H100_SXM);

    @Test
    void one_decode_is_bound_by_reading_the_weights() {
        // 7.5 GB weights x 2 bytes without the input embedding, at 80 % of 3.35 TB/s, and 1 ms of CPU: 6.6 ms.
        assertThat(law.seconds(decodes(1, 100))).isCloseTo(0.0066, within(0.0003));
    }

    @Test
    void a_long_prompt_is_bound_by_arithmetic() {
        // 14 GFLOP per token at 70 % of 989 TFLOPS is 20 us, attention comes on top.
        double perToken = law.seconds(prefill(8192, 0)) / 8192;

        assertThat(perToken).isBetween(20e-6, 30e-6);
    }

    @Test
    void decode_goes_up_in_stairs() {
        assertThat(law.seconds(decodes(17, 1)) - law.seconds(decodes(16, 1)))
                .isGreaterThan(3 * (law.seconds(decodes(16, 1)) - law.seconds(decodes(15, 1))));
    }

    @Test
    void context_costs_time_in_both_phases() {
        assertThat(law.seconds(decodes(64, 4000))).isGreaterThan(law.seconds(decodes(64, 400)) * 1.5);
        assertThat(law.seconds(prefill(2048, 30_000))).isGreaterThan(law.seconds(prefill(2048, 0)) * 1.3);
    }

    @Test
    void it_is_not_linear_in_the_tokens() {
        double small = law.seconds(prefill(64, 0));
        double middle = law.seconds(prefill(128, 0));
        double large = law.seconds(prefill(4096, 0));
        double extrapolated = small + (middle - small) * (4096 - 64) / 64;

        assertThat(large / extrapolated).isGreaterThan(1.5);
    }

    @Test
    void noise_has_median_one_and_stragglers_are_rare() {
        NoisyLaw noisy = new NoisyLaw(law, new NoisyLaw.Noise(0.1, 0.01, 10), 4);
        StepBatch batch = decodes(8, 500);
        double clean = law.seconds(batch);

        double[] ratios = DoubleStream.generate(() -> noisy.seconds(batch) / clean)
                .limit(20_001)
                .sorted()
                .toArray();

        // Standard error of the median is 1.25 * 0.1 / sqrt(20001) = 0.09 %.
        assertThat(ratios[10_000]).isCloseTo(1, within(0.005));
        long stragglers = Arrays.stream(ratios).filter(ratio -> ratio > 5).count();
        assertThat((double) stragglers).isCloseTo(200, within(5 * Math.sqrt(200)));
    }

    private static StepBatch decodes(int requests, int context) {
        StepBatch batch = new StepBatch(requests);
        for (int i = 0; i < requests; i++) {
            batch.add(Sequence.prefilled(new Request(i, 0, context, 0, 10), 0), 1);
        }
        return batch;
    }

    private static StepBatch prefill(int tokens, int context) {
        StepBatch batch = new StepBatch(1);
        batch.add(new Sequence(new Request(0, 0, tokens + context, context, 10)), tokens);
        return batch;
    }
}
