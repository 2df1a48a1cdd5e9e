/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/**
 * What one accelerator can do, and how much of that kernels reach. Immutable.
 *
 * @param name for people
 * @param flopsPerSecond peak of dense half-precision matrix multiplication
 * @param memoryBytesPerSecond peak memory bandwidth
 * @param memoryBytes memory size
 * @param computeEfficiency share of the peak that large matrix multiplications reach; in (0, 1]
 * @param memoryEfficiency share of the bandwidth that kernels reach; in (0, 1]
 */
public record GpuSpec(
        String name,
        double flopsPerSecond,
        double memoryBytesPerSecond,
        double memoryBytes,
        double computeEfficiency,
        double memoryEfficiency) {
    /*
     * Peaks from NVIDIA's data sheets: H100 SXM5 989 TFLOPS BF16 dense, 3.35 TB/s, 80 GB; L40S 362 TFLOPS BF16 dense,
     * 864 GB/s, 48 GB; RTX PRO 6000 Blackwell Server Edition 504 TFLOPS, 1.6 TB/s, 96 GB; GeForce RTX 4090 165 TFLOPS with
     * 32-bit accumulation at its rated clock, 178 at the 2.7 GHz it holds, 1.01 TB/s, 24 GB. Efficiencies of the first two are assumptions: 0.7 and 0.8, a little less compute for
     * the L40S, which clocks down under tensor load. Those of the RTX PRO 6000 are what its profile reaches in the widest GEMM
     * (417 TFLOPS, 1.47 TB/s); the RTX 4090 is taken to reach as much of its bandwidth and 0.95 of its compute.
     */
    public static final GpuSpec H100_SXM = new GpuSpec("H100 SXM", 989e12, 3.35e12, 80e9, 0.70, 0.80);

    public static final GpuSpec L40S = new GpuSpec("L40S", 362e12, 864e9, 48e9, 0.60, 0.80);

    public static final GpuSpec RTX_PRO_6000_SERVER =
            new GpuSpec("RTX PRO 6000 Blackwell Server", 504e12, 1.597e12, 96e9, 0.83, 0.92);

    public static final GpuSpec RTX_4090 = new GpuSpec("GeForce RTX 4090", 178e12, 1.008e12, 24e9, 0.95, 0.92);

    /** Floating-point operations per second that kernels reach. */
    public double usableFlops() {
        return flopsPerSecond * computeEfficiency;
    }

    /** Bytes per second that kernels reach. */
    public double usableBandwidth() {
        return memoryBytesPerSecond * memoryEfficiency;
    }
}
