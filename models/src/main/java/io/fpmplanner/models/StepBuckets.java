/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

import java.util.stream.IntStream;

/** Sorts steps of like size together, finely where CUDA graphs make stairs. Immutable, threadsafe. */
final class StepBuckets {
    /*
     * Coarse buckets are (regime, ceil log2 of scheduled tokens). Fine buckets split decode by the captured graph
     * size that the batch is padded to, because within one size the time does not depend on the batch; a decode
     * batch beyond the largest size, and all other regimes, use the coarse rule.
     */
    private static final int SIZES = 24;

    static final int COARSE = 3 * SIZES;

    private final GraphSizes graphSizes;

    StepBuckets(GraphSizes graphSizes) {
        this.graphSizes = graphSizes;
    }

    GraphSizes graphSizes() {
        return graphSizes;
    }

    int coarse(StepWorkload step, StepRegime regime) {
        return firstCoarse(regime) + log2Ceiling(step.scheduledTokens());
    }

    private static int firstCoarse(StepRegime regime) {
        return switch (regime) {
            case PREFILL -> 0;
            case DECODE -> SIZES;
            case MIXED -> 2 * SIZES;
        };
    }

    int fineCount() {
        return COARSE + graphSizes.count();
    }

    int fine(StepWorkload step, StepRegime regime) {
        int graph = regime == StepRegime.DECODE ? graphSizes.index(step.decodeRequests()) : -1;
        return graph < 0 ? coarse(step, regime) : COARSE + graph;
    }

    /** The fine buckets of one regime from small to large steps. */
    int[] ascending(StepRegime regime) {
        int first = firstCoarse(regime);
        if (regime != StepRegime.DECODE || graphSizes.count() == 0) {
            return IntStream.range(first, first + SIZES).toArray();
        }
        int beyond = log2Ceiling(graphSizes.size(graphSizes.count() - 1) + 1);
        return IntStream.concat(
                        IntStream.range(COARSE, COARSE + graphSizes.count()),
                        IntStream.range(first + beyond, first + SIZES))
                .toArray();
    }

    static int log2Ceiling(double tokens) {
        long whole = (long) Math.ceil(tokens);
        return whole <= 1 ? 0 : Math.min(SIZES - 1, 64 - Long.numberOfLeadingZeros(whole - 1));
    }
}
