/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Dimensions of a dense decoder-only transformer with grouped-query attention and a gated feed-forward. Immutable.
 *
 * @param name for people
 * @param layers decoder layers
 * @param hidden width of the residual stream
 * @param feedForward inner width of the feed-forward
 * @param queryHeads attention heads
 * @param kvHeads key-value heads
 * @param headDimension width of a head
 * @param vocabulary output vocabulary
 * @param bytesPerWeight 2 for BF16, 1 for FP8; activations and KV cache are 2 bytes always
 */
public record TransformerSpec(
        String name,
        int layers,
        int hidden,
        int feedForward,
        int queryHeads,
        int kvHeads,
        int headDimension,
        int vocabulary,
        double bytesPerWeight) {
    static final double BYTES_PER_ACTIVATION = 2;

    /** Dimensions from the model's published config.json. */
    public static final TransformerSpec LLAMA_3_1_8B =
            new TransformerSpec("Llama-3.1-8B", 32, 4096, 14_336, 32, 8, 128, 128_256, 2);

    /** Dimensions from the model's published config.json. */
    public static final TransformerSpec QWEN3_32B =
            new TransformerSpec("Qwen3-32B", 64, 5120, 25_600, 64, 8, 128, 151_936, 2);

    /** Weights of the four attention projections of a layer. */
    public double projectionWeights() {
        return (double) hidden * headDimension * (2.0 * queryHeads + 2.0 * kvHeads);
    }

    /** Weights of the three feed-forward projections of a layer. */
    public double feedForwardWeights() {
        return 3.0 * hidden * feedForward;
    }

    /** Weights of the output head. */
    public double headWeights() {
        return (double) hidden * vocabulary;
    }

    /** KV bytes of one token in one layer. */
    public double kvBytesPerTokenAndLayer() {
        return 2.0 * kvHeads * headDimension * BYTES_PER_ACTIVATION;
    }

    /** Weights of the whole model in bytes; input and output embeddings are untied. */
    double weightBytes() {
        return (layers * (projectionWeights() + feedForwardWeights()) + 2 * headWeights()) * bytesPerWeight;
    }

    /** Tokens whose KV fits beside the weights, with a tenth of the memory and 2 GB for activations left free. */
    public int kvCapacityTokens(GpuSpec gpu) {
        return kvCapacityTokens(gpu, 1);
    }

    /** The same with the model spread over several GPUs. */
    public int kvCapacityTokens(GpuSpec gpu, int gpus) {
        double bytes = gpus * (0.9 * gpu.memoryBytes() - 2e9) - weightBytes();
        return (int) Math.max(0, bytes / (kvBytesPerTokenAndLayer() * layers));
    }
}
