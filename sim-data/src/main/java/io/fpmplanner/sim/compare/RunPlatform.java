/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.law.KernelLaw;
import io.fpmplanner.sim.law.KernelProfile;
import io.fpmplanner.sim.law.ServingOverhead;
import java.io.IOException;
import java.nio.file.Path;

/** What is known of the machine a run took place on. Immutable. */
record RunPlatform(KernelProfile profile, ServingOverhead overhead) {
    private static final int DEFAULT_MAX_BATCHED_TOKENS = 2048;
    private static final int DEFAULT_MAX_SEQUENCES = 256;
    private static final int LONGEST_CONTEXT = 131_072;

    /** By the directory's names, GPU and model. */
    static RunPlatform of(ServingLog log) throws IOException {
        String gpu = gpuName(log.directory().toAbsolutePath());
        String model = log.model().substring(log.model().lastIndexOf('/') + 1);
        KernelProfile measured = KernelProfile.RTX_PRO_6000_LLAMA_8B;
        ServingOverhead overhead = ServingOverhead.singleGpu(0.5e-3, 0);
        return switch (gpu + "/" + model) {
            case "RTXPRO6000/Llama-3.1-8B" -> new RunPlatform(measured, overhead);
            case "RTX4090/Llama-3.1-8B" ->
                new RunPlatform(
                        measured.carriedOver(
                                "Llama-3.1-8B on RTX 4090, from RTX PRO 6000",
                                TransformerSpec.LLAMA_3_1_8B,
                                GpuSpec.RTX_4090,
                                1),
                        overhead);
            case "RTXPRO6000/Qwen3-32B" ->
                new RunPlatform(
                        measured.carriedOver(
                                "Qwen3-32B on 2 RTX PRO 6000, from Llama-3.1-8B on one",
                                TransformerSpec.QWEN3_32B,
                                GpuSpec.RTX_PRO_6000_SERVER,
                                2),
                        overhead.withAllReduce(55e-6, 20e9));
            default -> throw new IOException(log.directory() + ": no kernel times of " + model + " on " + gpu);
        };
    }

    private static String gpuName(Path directory) {
        Path parent = directory.getParent();
        Path name = parent == null ? null : parent.getFileName();
        return name == null ? "" : name.toString();
    }

    String name() {
        return profile.name();
    }

    StepTimeLaw law() {
        return new KernelLaw(profile, overhead);
    }

    EngineSettings settings(ServingLog log) {
        int kvTokens =
                log.kvTokens() > 0 ? log.kvTokens() : profile.model().kvCapacityTokens(profile.gpu(), profile.gpus());
        return EngineSettings.vllm(
                        log.setting("max_num_batched_tokens", DEFAULT_MAX_BATCHED_TOKENS),
                        log.setting("max_num_seqs", DEFAULT_MAX_SEQUENCES),
                        kvTokens)
                .withMaxContextTokens(log.setting("max_model_len", LONGEST_CONTEXT));
    }
}
