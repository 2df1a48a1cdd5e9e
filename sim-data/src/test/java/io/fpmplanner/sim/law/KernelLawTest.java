/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.TransformerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelLawTest {
    private static final ServingOverhead NO_OVERHEAD = ServingOverhead.singleGpu(0, 0);
    private static final KernelLaw RTX = new KernelLaw(KernelProfile.RTX_PRO_6000_LLAMA_8B, NO_OVERHEAD);
    private static final KernelLaw H100 = new KernelLaw(KernelProfile.H100_LLAMA_8B, NO_OVERHEAD);

    @Test
    void a_decode_step_is_the_sum_of_its_kernels() {
        double first = Steps.decodes(RTX, 128, 1024, 5)[0];

        // 32 layers of 362 us (dense, 128 tokens) and 404.9 us (attention, 128 x 1024), 811 us of head and sampling.
        assertThat(first).isCloseTo(32 * (362e-6 + 404.9e-6) + 811e-6, withinPercentage(1));
    }

    @Test
    void a_prompt_step_is_the_sum_of_its_kernels() {
        double first = Steps.of(RTX, 1, 4096, 1).get(0).wallTimeSeconds();
        double second = Steps.of(RTX, 1, 4096, 1).get(1).wallTimeSeconds();

        assertThat(first).isCloseTo(32 * (2395e-6 + 172.6e-6) + 715e-6, withinPercentage(1));
        // 2,048 tokens of context cost 0.12 us each.
        assertThat(second - first).isCloseTo(32 * 2048 * 0.1198e-6, withinPercentage(1));
    }

    @Test
    void decodes_beside_a_chunk_cost_more_than_alone() {
        double alone = Steps.decodes(RTX, 64, 1024, 5)[0];
        // The last chunk of 65 prompts of 1,024 tokens is computed beside those that decode already.
        double beside = Steps.of(RTX, 65, 1024, 100).stream()
                .filter(step -> step.scheduled().numPrefillRequests() > 0
                        && step.scheduled().numDecodeRequests() >= 60)
                .mapToDouble(step -> step.wallTimeSeconds())
                .min()
                .orElseThrow();

        assertThat(beside).isGreaterThan(alone * 1.3);
    }

    @Test
    void an_h100_is_faster_and_both_are_in_the_range_people_measure() {
        double rtx = Steps.decodes(RTX, 32, 1024, 5)[0];
        double h100 = Steps.decodes(H100, 32, 1024, 5)[0];

        assertThat(rtx).isBetween(0.013, 0.017);
        assertThat(h100).isBetween(0.006, 0.010).isLessThan(rtx);
        // 8,192 prompt tokens a second and more on the one, 25,000 and more on the other.
        assertThat(2048 / Steps.of(RTX, 1, 2048, 1).get(0).wallTimeSeconds()).isBetween(20_000.0, 30_000.0);
        assertThat(2048 / Steps.of(H100, 1, 2048, 1).get(0).wallTimeSeconds()).isBetween(40_000.0, 60_000.0);
    }

    @Test
    void carried_over_to_itself_a_profile_is_unchanged() {
        KernelProfile same = KernelProfile.RTX_PRO_6000_LLAMA_8B.carriedOver(
                "itself", TransformerSpec.LLAMA_3_1_8B, GpuSpec.RTX_PRO_6000_SERVER, 1);

        assertThat(Steps.decodes(new KernelLaw(same, NO_OVERHEAD), 40, 700, 9))
                .containsExactly(Steps.decodes(RTX, 40, 700, 9), offset(1e-9));
    }

    @Test
    void carried_over_to_a_slower_gpu_everything_takes_longer_and_several_gpus_cost_their_all_reduces() {
        KernelProfile slow = KernelProfile.RTX_PRO_6000_LLAMA_8B.carriedOver(
                "RTX 4090", TransformerSpec.LLAMA_3_1_8B, GpuSpec.RTX_4090, 1);
        double there = Steps.decodes(new KernelLaw(slow, NO_OVERHEAD), 32, 1024, 5)[0];
        double here = Steps.decodes(RTX, 32, 1024, 5)[0];
        assertThat(there / here).isBetween(1.3, 1.6); // Bandwidths are 1.58 apart, launches are not.

        KernelProfile two = KernelProfile.RTX_PRO_6000_LLAMA_8B.carriedOver(
                "two", TransformerSpec.LLAMA_3_1_8B, GpuSpec.RTX_PRO_6000_SERVER, 2);
        double free = Steps.decodes(new KernelLaw(two, NO_OVERHEAD), 32, 1024, 5)[0];
        double paid = Steps.decodes(new KernelLaw(two, NO_OVERHEAD.withAllReduce(50e-6, 1e12)), 32, 1024, 5)[0];
        assertThat(free).isLessThan(0.65 * here);
        assertThat(paid - free).isCloseTo(32 * 2 * 50e-6, withinPercentage(3));
        assertThatThrownBy(() -> KernelProfile.RTX_PRO_6000_LLAMA_8B.carriedOver(
                        "three", TransformerSpec.LLAMA_3_1_8B, GpuSpec.RTX_PRO_6000_SERVER, 3))
                .hasMessageContaining("8 KV heads");
    }

    /** The committed numbers against the measurements they were read from. */
    @Test
    void the_dense_curve_meets_the_measured_layers() throws IOException {
        Path data = Path.of(System.getProperty("fpm.shared.data", "absent"))
                .resolve("profiles/llmservingsim_rtxpro6000_llama3.1-8b/tp1_dense.csv");
        assumeTrue(Files.isReadable(data), "SKIPPED: no measured profile at " + data);
        double[] measured = new double[2049];
        double[] layers = new double[2049];
        for (String line : Files.readAllLines(data).stream().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            int tokens = Integer.parseInt(cells[1]);
            double times = List.of("embedding", "final_layernorm").contains(cells[0])
                    ? 0
                    : cells[0].equals("layernorm") ? 2 : 1;
            measured[tokens] += times * Double.parseDouble(cells[2]);
            layers[tokens]++;
        }
        Curve dense = KernelProfile.RTX_PRO_6000_LLAMA_8B.dense();
        double[] errors = new double[2049];
        int count = 0;
        for (int tokens = 1; tokens <= 2048; tokens++) {
            if (layers[tokens] > 0) {
                errors[count++] = Math.abs(dense.at(tokens) / measured[tokens] - 1);
            }
        }
        double[] sorted = Arrays.copyOf(errors, count);
        Arrays.sort(sorted);
        assertThat(sorted[count / 2]).isLessThan(0.01);
        assertThat(sorted[count - 1]).isLessThan(0.06);
    }
}
