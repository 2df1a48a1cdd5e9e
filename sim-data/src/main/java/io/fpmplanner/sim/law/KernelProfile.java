/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.TransformerSpec;

/**
 * Measured kernel times of one model on one kind of GPU, condensed to a few dozen numbers. Immutable, threadsafe.
 *
 * <p>{@link #carriedOver} makes a profile for another model or GPU from a measured one: each time is scaled by the ratio of what a
 * roofline says for both.
 */
public final class KernelProfile {
    /**
     * Llama-3.1-8B in BF16 on an RTX PRO 6000 Blackwell Server Edition with vLLM 0.19: kernel times of the LLMServingSim project
     * (casys-kaist, MIT licence), profiled 2026-04-24.
     */
    public static final KernelProfile RTX_PRO_6000_LLAMA_8B = MeasuredKernels.rtxPro6000();

    /**
     * Llama-3.1-8B in BF16 on an H100 SXM with SGLang 0.5.14: GEMM and FA3 attention times of the aiconfigurator project
     * (ai-dynamo, Apache-2.0).
     */
    public static final KernelProfile H100_LLAMA_8B = MeasuredKernels.h100();

    /*
     * A GEMM near the ridge takes longer than either of its bounds: (memory^p + compute^p)^(1/p) with p = 2.3 meets the measured
     * gate-up projection of the RTX PRO 6000 at 64 to 512 tokens within 6 %.
     */
    private static final double RIDGE = 2.3;

    private final String name;
    private final Platform platform;
    private final Curve dense;
    private final Curve head;
    private final AttentionTimes attention;
    private final Scales scales;

    /** A model on a number of GPUs of a kind, with tensor parallelism over them. */
    record Platform(TransformerSpec model, GpuSpec gpu, int gpus) {
        double gemmSeconds(double tokens, double weights) {
            double memory = weights * model.bytesPerWeight() / gpus / gpu.usableBandwidth();
            double compute = 2 * tokens * weights / gpus / gpu.usableFlops();
            return StrictMath.pow(StrictMath.pow(memory, RIDGE) + StrictMath.pow(compute, RIDGE), 1 / RIDGE);
        }

        double layerSeconds(double tokens) {
            return gemmSeconds(tokens, model.projectionWeights()) + gemmSeconds(tokens, model.feedForwardWeights());
        }

        double headSeconds(double requests) {
            return gemmSeconds(requests, model.headWeights());
        }

        double kvBytesPerToken() {
            return model.kvBytesPerTokenAndLayer() / gpus;
        }

        double attentionWidth() {
            return (double) model.queryHeads() * model.headDimension() / gpus;
        }
    }

    /**
     * From the measured platform to this one.
     *
     * @param chunk factor of chunk attention
     * @param context tokens of the measured model that are as much to read as one of this
     * @param decodeMicrosPerToken what reading such a token takes longer than measured. Added, not multiplied: small batches wait
     *     for launches and not for memory
     */
    record Scales(double chunk, double context, double decodeMicrosPerToken) {
        static final Scales NONE = new Scales(1, 1, 0);
    }

    KernelProfile(String name, Platform platform, Curve dense, Curve head, AttentionTimes attention, Scales scales) {
        this.name = name;
        this.platform = platform;
        this.dense = dense;
        this.head = head;
        this.attention = attention;
        this.scales = scales;
    }

    /**
     * The same kernels for another model on other GPUs, by ratios of rooflines. The further the two are apart, the less it is worth;
     * communication between GPUs is not in it.
     *
     * @param gpus GPUs of one engine, by tensor parallelism; &ge; 1
     */
    public KernelProfile carriedOver(String newName, TransformerSpec model, GpuSpec gpu, int gpus) {
        if (gpus < 1 || model.kvHeads() % gpus != 0) {
            throw new IllegalArgumentException(model.kvHeads() + " KV heads cannot be spread over " + gpus + " GPUs");
        }
        Platform to = new Platform(model, gpu, gpus);
        double microsPerByte =
                1e6 / gpu.usableBandwidth() - 1e6 / platform.gpu().usableBandwidth();
        double flops = platform.gpu().usableFlops() / gpu.usableFlops();
        return new KernelProfile(
                newName,
                to,
                dense.scaled(tokens -> to.layerSeconds(tokens) / platform.layerSeconds(tokens)),
                head.scaled(requests -> to.headSeconds(requests) / platform.headSeconds(requests)),
                attention,
                new Scales(
                        scales.chunk() * flops * to.attentionWidth() / platform.attentionWidth(),
                        scales.context() * to.kvBytesPerToken() / platform.kvBytesPerToken(),
                        scales.decodeMicrosPerToken() + microsPerByte * platform.kvBytesPerToken()));
    }

    /** What was measured, or carried over, for people. */
    public String name() {
        return name;
    }

    /** The model. */
    public TransformerSpec model() {
        return platform.model();
    }

    /** The kind of GPU. */
    public GpuSpec gpu() {
        return platform.gpu();
    }

    /** GPUs of one engine. */
    public int gpus() {
        return platform.gpus();
    }

    Curve dense() {
        return dense;
    }

    Curve head() {
        return head;
    }

    AttentionTimes attention() {
        return attention;
    }

    Scales scales() {
        return scales;
    }
}
