/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import io.fpmplanner.sim.engine.EngineSettings;
import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.NoisyLaw;
import io.fpmplanner.sim.engine.RooflineLaw;
import io.fpmplanner.sim.engine.StepTimeLaw;
import io.fpmplanner.sim.engine.TransformerSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An engine that scenarios name: a model on a GPU with the limits it is usually served with. Immutable.
 *
 * @param word as it stands in scenario files
 * @param model what is served
 * @param gpu one of them a replica
 * @param settings limits of an aggregated engine
 */
public record EnginePreset(String word, TransformerSpec model, GpuSpec gpu, EngineSettings settings) {
    /** Holds about 5 requests/s of 1,000 + 200 tokens within 50 ms between tokens. */
    private static final EnginePreset LLAMA_8B_L40S =
            preset("llama-8b-l40s", TransformerSpec.LLAMA_3_1_8B, GpuSpec.L40S, 512, 128);

    /** Computes about 4.4 prompts/s of 8,000 tokens. */
    private static final EnginePreset LLAMA_8B_H100 =
            preset("llama-8b-h100", TransformerSpec.LLAMA_3_1_8B, GpuSpec.H100_SXM, 2048, 256);

    private static final List<EnginePreset> ALL = List.of(LLAMA_8B_L40S, LLAMA_8B_H100);

    private static EnginePreset preset(
            String word, TransformerSpec model, GpuSpec gpu, int maxBatchedTokens, int maxSequences) {
        return new EnginePreset(
                word, model, gpu, EngineSettings.vllm(maxBatchedTokens, maxSequences, model.kvCapacityTokens(gpu)));
    }

    /** Step times without noise. */
    public StepTimeLaw law() {
        return new RooflineLaw(model, gpu);
    }

    /** Step times with the noise of a calm production engine. */
    public StepTimeLaw noisyLaw(long seed) {
        return new NoisyLaw(law(), NoisyLaw.Noise.calm(), seed);
    }

    static Optional<EnginePreset> of(String word) {
        return ALL.stream().filter(preset -> preset.word.equals(word)).findFirst();
    }

    /** The words of all, for messages. */
    static String words() {
        return ALL.stream().map(EnginePreset::word).collect(Collectors.joining(", "));
    }
}
