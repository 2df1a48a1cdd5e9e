/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import io.fpmplanner.sim.law.KernelLaw;
import io.fpmplanner.sim.law.KernelProfile;
import io.fpmplanner.sim.law.ServingOverhead;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An engine that scenarios name: a model on a GPU with the limits it is usually served with. Immutable.
 *
 * @param word as it stands in scenario files
 * @param law step times without noise; threadsafe
 * @param settings limits of an aggregated engine
 */
public record EnginePreset(String word, StepTimeLaw law, EngineSettings settings) {
    /** By a roofline. Holds about 5 requests/s of 1,000 + 200 tokens within 50 ms between tokens. */
    private static final EnginePreset LLAMA_8B_L40S =
            roofline("llama-8b-l40s", TransformerSpec.LLAMA_3_1_8B, GpuSpec.L40S, 512, 128);

    /** By a roofline. Computes about 4.4 prompts/s of 8,000 tokens. */
    private static final EnginePreset LLAMA_8B_H100 =
            roofline("llama-8b-h100", TransformerSpec.LLAMA_3_1_8B, GpuSpec.H100_SXM, 2048, 256);

    /** By measured kernels. */
    private static final EnginePreset LLAMA_8B_RTX_PRO_6000 =
            measured("llama-8b-rtxpro6000", KernelProfile.RTX_PRO_6000_LLAMA_8B, 1024, 128);

    private static final List<EnginePreset> ALL = List.of(LLAMA_8B_L40S, LLAMA_8B_H100, LLAMA_8B_RTX_PRO_6000);

    private static EnginePreset roofline(
            String word, TransformerSpec model, GpuSpec gpu, int maxBatchedTokens, int maxSequences) {
        EngineSettings settings = EngineSettings.vllm(maxBatchedTokens, maxSequences, model.kvCapacityTokens(gpu));
        return new EnginePreset(word, new RooflineLaw(model, gpu), settings);
    }

    private static EnginePreset measured(String word, KernelProfile profile, int maxBatchedTokens, int maxSequences) {
        int kvTokens = profile.model().kvCapacityTokens(profile.gpu());
        return new EnginePreset(
                word,
                new KernelLaw(profile, ServingOverhead.singleGpu(0.5e-3, 0)),
                EngineSettings.vllm(maxBatchedTokens, maxSequences, kvTokens));
    }

    /** Step times with the noise of a calm production engine. */
    StepTimeLaw noisyLaw(long seed) {
        return new NoisyLaw(law, NoisyLaw.Noise.calm(), seed);
    }

    static Optional<EnginePreset> of(String word) {
        return ALL.stream().filter(preset -> preset.word.equals(word)).findFirst();
    }

    /** The words of all, for messages. */
    static String words() {
        return ALL.stream().map(EnginePreset::word).collect(Collectors.joining(", "));
    }
}
