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
     * 864 GB/s, 48 GB. Efficiencies are assumptions: 0.7 and 0.8 for the former, a little less compute for the latter,
     * which clocks down under tensor load.
     */
    public static final GpuSpec H100_SXM = new GpuSpec("H100 SXM", 989e12, 3.35e12, 80e9, 0.70, 0.80);

    public static final GpuSpec L40S = new GpuSpec("L40S", 362e12, 864e9, 48e9, 0.60, 0.80);

    double usableFlops() {
        return flopsPerSecond * computeEfficiency;
    }

    double usableBandwidth() {
        return memoryBytesPerSecond * memoryEfficiency;
    }
}
