/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.GpuSpec;
import io.fpmplanner.sim.engine.TransformerSpec;
import java.util.Arrays;

/** The measured numbers. All of one layer and in microseconds, but for the head, which is once a step. */
final class MeasuredKernels {
    /*
     * How they came about: dense layers (projections, activation, two norms, rotary embedding, summed) and head plus sampling are
     * knots of relative least-squares fits; medians of the fits' errors are 2 % and 0.4 %. Attention is the measurement itself at
     * the grid's places, rounded. "Beside" is mixed minus chunk alone, at chunks of 64. Chunk attention is linear in the context
     * before it within 2 %. The skew is the profile's own fit for unequal decode lengths (0.025 in the mean over 12,984 batches).
     */
    private static final double[] REQUESTS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

    private static final double[] CONTEXTS = {16, 128, 512, 1024, 2048, 4096, 8192, 16_384};

    private MeasuredKernels() {}

    /** LLMServingSim, profiler/perf/RTXPRO6000/meta-llama/Llama-3.1-8B/bf16, tensor parallelism 1. */
    static KernelProfile rtxPro6000() {
        double[][] decode = {
            {8.4, 11.9, 12.7, 14.6, 18.8, 27.2, 38.0, 62.4},
            {12.6, 15.4, 16.8, 20.6, 27.5, 38.8, 62.3, 106.7},
            {12.9, 15.9, 19.5, 26.3, 37.7, 59.5, 106.8, 194.7},
            {13.2, 16.6, 25.2, 36.9, 60.4, 108.2, 196.3, 373.7},
            {13.2, 20.1, 36.2, 60.3, 110.3, 205.0, 379.7, 729.3},
            {17.9, 26.1, 63.2, 119.3, 212.3, 390.3, 743.0, 1441.8},
            {22.8, 39.1, 127.4, 221.2, 397.7, 753.5, 1458.0, 2855.1},
            {35.8, 74.3, 229.1, 404.9, 760.1, 1461.1, 2854.9, 5654.1},
            {62.3, 125.0, 397.3, 754.8, 1452.8, 2856.2, 5645.5, 11_238.9}
        };
        double[][] beside = {
            {0.1, 1.3, 8.9, 19.8, 42.0, 86.9, 177.6, 356.8},
            {0.1, 1.4, 9.1, 19.8, 42.2, 86.5, 177.5, 356.5},
            {0.1, 1.6, 9.5, 20.8, 43.3, 89.5, 180.8, 359.7},
            {4.1, 8.2, 24.4, 46.6, 91.0, 180.9, 365.5, 730.2},
            {8.5, 15.5, 40.3, 74.4, 140.5, 272.8, 555.3, 1096.2},
            {20.5, 35.9, 87.5, 159.5, 291.7, 569.1, 1170.7, 2310.3},
            {44.0, 74.2, 173.7, 301.7, 548.0, 1435.8, 2905.6, 5845.7},
            {87.2, 155.8, 381.9, 664.8, 1534.6, 4292.7, 8587.4, 20_988.0}
        };
        return new KernelProfile(
                "Llama-3.1-8B on RTX PRO 6000 (LLMServingSim, vLLM 0.19)",
                new KernelProfile.Platform(TransformerSpec.LLAMA_3_1_8B, GpuSpec.RTX_PRO_6000_SERVER, 1),
                Curve.of(
                        1, 312, 16, 316, 17, 328, 32, 330, 33, 337, 64, 343, 80, 352, 128, 362, 129, 400, 192, 404, 193,
                        429, 256, 434, 257, 509, 320, 517, 384, 536, 385, 673, 512, 694, 513, 756, 640, 770, 641, 974,
                        768, 983, 769, 1080, 896, 1100, 897, 1230, 1024, 1241, 1025, 1385, 1152, 1406, 1153, 1450, 1280,
                        1470, 1281, 1652, 1408, 1668, 1409, 1908, 1536, 1925, 1664, 1946, 1665, 2067, 1792, 2084, 1793,
                        2133, 1920, 2145, 1921, 2380, 2048, 2395),
                Curve.of(1, 715.2, 32, 737.9, 64, 753.0, 128, 811.3, 256, 1018.0),
                new AttentionTimes(
                        new Grid(REQUESTS, CONTEXTS, decode),
                        new Grid(Arrays.copyOf(REQUESTS, 8), CONTEXTS, beside),
                        Curve.of(128, 0, 256, 0.4, 512, 0.4, 1024, 0.94, 2048, 1.73),
                        Curve.of(16, 7.8, 128, 8.6, 256, 11.1, 512, 24.9, 1024, 61.1, 2048, 172.6),
                        Curve.of(16, 0.0222, 256, 0.0219, 512, 0.0412, 1024, 0.0606, 2048, 0.1198),
                        0.025),
                KernelProfile.Scales.NONE);
    }

    /**
     * aiconfigurator's h100_sxm tables of SGLang 0.5.14, BF16. The projections of widths 28,672 and 14,336 lie between measured
     * ones and are interpolated; the head is the widest measured GEMM in proportion; 12 us a layer for norms, activation and
     * rotary embedding, and the chunk's cost per context token (4 KB of KV and 28 ps a pair), are read off a roofline.
     */
    static KernelProfile h100() {
        double[][] decode = {
            {9.0, 9.3, 12.5, 11.7, 12.4, 13.5, 17.1, 34.7},
            {9.2, 9.4, 12.7, 12.3, 13.4, 16.9, 37.6, 55.5},
            {9.6, 9.9, 13.3, 13.0, 15.1, 33.7, 55.3, 97.8},
            {9.6, 10.0, 13.5, 14.6, 33.6, 55.0, 98.6, 184.1},
            {9.8, 10.1, 14.6, 33.0, 54.2, 97.3, 183.0, 356.1},
            {12.5, 12.8, 34.7, 56.4, 99.1, 184.4, 353.9, 697.5},
            {18.5, 19.4, 59.5, 102.6, 187.0, 356.4, 694.3, 1370.0},
            {30.4, 44.3, 106.1, 193.8, 361.3, 696.4, 1366.7, 2707.3},
            {53.1, 76.1, 195.2, 368.7, 715.8, 1409.9, 2798.1, 5574.6}
        };
        Grid alone = new Grid(REQUESTS, CONTEXTS, decode);
        return new KernelProfile(
                "Llama-3.1-8B on H100 SXM (aiconfigurator, SGLang 0.5.14)",
                new KernelProfile.Platform(TransformerSpec.LLAMA_3_1_8B, GpuSpec.H100_SXM, 1),
                Curve.of(
                        1, 186.4, 16, 182.2, 32, 185.6, 64, 191.4, 128, 194.0, 192, 210.0, 256, 217.0, 384, 284.0, 512,
                        328.0, 768, 489.0, 1024, 622.0, 1536, 941.0, 2048, 1260.0, 4096, 2575.0, 8192, 5215.0),
                Curve.of(1, 400.0, 32, 407.0, 64, 421.0, 128, 431.0, 256, 480.0),
                new AttentionTimes(
                        alone,
                        alone,
                        Curve.of(1, 0, 2048, 0),
                        Curve.of(
                                16, 10.4, 128, 12.5, 256, 14.8, 512, 18.0, 1024, 29.4, 1536, 53.5, 2048, 88.8, 4096,
                                253.4, 8192, 950.5, 16_384, 3557.9),
                        Curve.of(16, 0.0020, 64, 0.0026, 512, 0.0150, 1024, 0.0290, 2048, 0.0570, 8192, 0.2290),
                        0.025),
                KernelProfile.Scales.NONE);
    }
}
