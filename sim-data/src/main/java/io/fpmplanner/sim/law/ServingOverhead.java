/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

/**
 * What a step costs beside its kernels. Immutable.
 *
 * @param stepSeconds of each step: launching, sampling's synchronisation, gaps; &ge; 0
 * @param requestSeconds of each request in a step: input preparation and output processing that nothing hides; &ge; 0
 * @param allReduceSeconds of each of the two all-reduces a layer, whatever its size; 0 on one GPU
 * @param allReduceBytesPerSecond what the link carries of their activations
 * @param largestGraphTokens steps up to so many tokens run as captured graphs, padded to 1, 2, 4 and multiples of 8; 0 for none
 */
public record ServingOverhead(
        double stepSeconds,
        double requestSeconds,
        double allReduceSeconds,
        double allReduceBytesPerSecond,
        int largestGraphTokens) {
    public ServingOverhead {
        if (!(stepSeconds >= 0) || !(requestSeconds >= 0) || !(allReduceSeconds >= 0)) {
            throw new IllegalArgumentException("overheads must be at least 0, were " + stepSeconds + ", "
                    + requestSeconds + " and " + allReduceSeconds);
        }
        if (!(allReduceBytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "allReduceBytesPerSecond must be positive, was " + allReduceBytesPerSecond);
        }
        if (largestGraphTokens < 0) {
            throw new IllegalArgumentException("largestGraphTokens must be at least 0, was " + largestGraphTokens);
        }
    }

    /** One GPU, graphs up to 512 tokens as vLLM captures by default. */
    public static ServingOverhead singleGpu(double stepSeconds, double requestSeconds) {
        return new ServingOverhead(stepSeconds, requestSeconds, 0, Double.POSITIVE_INFINITY, 512);
    }

    /** The same over several GPUs. */
    public ServingOverhead withAllReduce(double newAllReduceSeconds, double newAllReduceBytesPerSecond) {
        return new ServingOverhead(
                stepSeconds, requestSeconds, newAllReduceSeconds, newAllReduceBytesPerSecond, largestGraphTokens);
    }

    int paddedTokens(int tokens) {
        if (tokens > largestGraphTokens) {
            return tokens;
        }
        return tokens <= 4 ? Integer.highestOneBit(2 * tokens - 1) : (tokens + 7) / 8 * 8;
    }
}
