/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.ArrayList;
import java.util.List;

/**
 * What the step time model is told about the engine, and how it learns. Immutable.
 *
 * @param graphBatchSizes decode batch sizes for which the engine captured CUDA graphs, ascending; a decode batch is
 *     computed as if it had the next larger of these sizes. May be empty (no padding)
 * @param eagerTokens largest number of scheduled tokens for which a step with prefill still runs from a graph; longer
 *     steps run eagerly and pay a launch overhead; &ge; 0
 * @param forgetting factor applied to the weight of all earlier frames at each new one, in (0, 1]; 0.9995 remembers
 *     about 2000 frames
 * @param framesNeeded frames of a regime before it counts as ready; &ge; 1
 */
public record StepTimeSettings(List<Integer> graphBatchSizes, double eagerTokens, double forgetting, int framesNeeded) {
    public StepTimeSettings {
        graphBatchSizes = List.copyOf(graphBatchSizes);
        int previous = 0;
        for (int size : graphBatchSizes) {
            if (size <= previous || size > 65_536) {
                throw new IllegalArgumentException(
                        "graphBatchSizes must ascend within 1 to 65536, was " + graphBatchSizes);
            }
            previous = size;
        }
        if (!(eagerTokens >= 0) || Double.isInfinite(eagerTokens)) {
            throw new IllegalArgumentException("eagerTokens must be a number of at least 0, was " + eagerTokens);
        }
        if (!(forgetting > 0 && forgetting <= 1)) {
            throw new IllegalArgumentException("forgetting must lie in (0, 1], was " + forgetting);
        }
        if (framesNeeded < 1) {
            throw new IllegalArgumentException("framesNeeded must be at least 1, was " + framesNeeded);
        }
    }

    /** vLLM's capture sizes (1, 2, 4, then multiples of 8 to 256 and of 16 to 512), eager beyond 512 tokens. */
    public static StepTimeSettings defaults() {
        List<Integer> sizes = new ArrayList<>(List.of(1, 2, 4));
        for (int size = 8; size <= 256; size += 8) {
            sizes.add(size);
        }
        for (int size = 272; size <= 512; size += 16) {
            sizes.add(size);
        }
        return new StepTimeSettings(sizes, 512, 0.9995, 30);
    }
}
