/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * Step time of a transformer on one GPU: for each kind of kernel the longer of its compute and its memory time.
 *
 * <p>Immutable, threadsafe, without noise. The maxima, the padding to captured graph sizes and the floor of eager mode make
 * it piecewise and non-linear in what a record tells about the step.
 */
public final class RooflineLaw implements StepTimeLaw {
    /*
     * Roofline: Williams, Waterman, Patterson, CACM 52 (2009). Kernel groups per layer: attention projections,
     * feed-forward, prefill attention, decode attention, element-wise. Attention over a chunk of c tokens with k in the
     * cache costs c * (k + c / 2) pairs; unequal decode contexts waste blocks of the longest (6 % of the excess, as fitted
     * in LLMServingSim's skew tables). Assumed, not measured: 1 ms of CPU and 4.5 us per request in each step, 70 us per layer
     * when launched eagerly, prefill attention at 60 % of the efficiency of matrix multiplication, captured graphs of 1, 2, 4,
     * then every 8 up to 512 tokens (vLLM's default list), and 1 % more weight-reading time for each 8 tokens up to 256,
     * which gives the stairs that recordings show at 9, 17 and 25 decodes.
     */
    private static final double CPU_SECONDS = 1e-3;
    private static final double CPU_SECONDS_PER_REQUEST = 4.5e-6;
    private static final double EAGER_SECONDS_PER_LAYER = 70e-6;
    private static final double ATTENTION_COMPUTE_SHARE = 0.6;
    private static final double SKEW_SHARE = 0.06;
    private static final double ELEMENTWISE_PASSES = 10;
    private static final int LARGEST_GRAPH_TOKENS = 512;
    private static final double SLOWER_PER_TOKEN = 0.01 / 8;
    private static final int SLOWER_UP_TO_TOKENS = 256;

    private final TransformerSpec model;
    private final double flops;
    private final double bandwidth;

    public RooflineLaw(TransformerSpec model, GpuSpec gpu) {
        this.model = model;
        this.flops = gpu.usableFlops();
        this.bandwidth = gpu.usableBandwidth();
    }

    @Override
    public double seconds(StepBatch batch) {
        int tokens = batch.totalTokens();
        boolean graph = tokens <= LARGEST_GRAPH_TOKENS;
        int padded = graph ? graphSize(tokens) : tokens;
        double layer = dense(padded, model.projectionWeights())
                + dense(padded, model.feedForwardWeights())
                + elementwise(padded)
                + prefillAttention(batch)
                + decodeAttention(batch);
        if (!graph) {
            layer = Math.max(layer, EAGER_SECONDS_PER_LAYER);
        }
        double head = dense(batch.size(), model.headWeights());
        return model.layers() * layer + head + CPU_SECONDS + CPU_SECONDS_PER_REQUEST * batch.size();
    }

    private static int graphSize(int tokens) {
        return tokens <= 4 ? Integer.highestOneBit(2 * tokens - 1) : (tokens + 7) / 8 * 8;
    }

    private double dense(double tokens, double weights) {
        double slower = 1 + SLOWER_PER_TOKEN * Math.min(tokens, SLOWER_UP_TO_TOKENS);
        return roof(2 * tokens * weights, weights * model.bytesPerWeight() * slower);
    }

    private double elementwise(double tokens) {
        return ELEMENTWISE_PASSES * tokens * model.hidden() * TransformerSpec.BYTES_PER_ACTIVATION / bandwidth;
    }

    private double prefillAttention(StepBatch batch) {
        if (batch.prefillRequests() == 0) {
            return 0;
        }
        double readTokens = batch.prefillTokens() + batch.prefillContextTokens();
        double work = 4.0 * model.queryHeads() * model.headDimension() * batch.prefillPairs() / ATTENTION_COMPUTE_SHARE;
        return roof(work, readTokens * model.kvBytesPerTokenAndLayer());
    }

    private double decodeAttention(StepBatch batch) {
        int requests = batch.decodeRequests();
        if (requests == 0) {
            return 0;
        }
        double context = batch.decodeContextTokens() + batch.decodeTokens();
        double work = 4.0 * model.queryHeads() * model.headDimension() * context;
        double excess = Math.max(0, (batch.longestDecodeContext() + 1) * requests / context - 1);
        return (1 + SKEW_SHARE * excess) * roof(work, context * model.kvBytesPerTokenAndLayer());
    }

    private double roof(double work, double bytes) {
        return Math.max(work / flops, bytes / bandwidth);
    }
}
