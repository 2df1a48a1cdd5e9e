/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.models;

/** Sorts steps of like size together, finely where CUDA graphs make stairs. Immutable, threadsafe. */
final class StepBuckets {
    /*
     * Coarse buckets are (regime, ceil log2 of scheduled tokens). Fine buckets split decode by the captured graph
     * size that the batch is padded to, because within one size the time does not depend on the batch; a decode
     * batch beyond the largest size, and all other regimes, use the coarse rule.
     */
    private static final int SIZES = 32;

    static final int COARSE = 3 * SIZES;

    private final GraphSizes graphSizes;

    StepBuckets(GraphSizes graphSizes) {
        this.graphSizes = graphSizes;
    }

    int coarse(StepWorkload step, StepRegime regime) {
        int first = switch (regime) {
            case PREFILL -> 0;
            case DECODE -> SIZES;
            case MIXED -> 2 * SIZES;
        };
        return first + log2Ceiling(step.scheduledTokens());
    }

    int fineCount() {
        return COARSE + graphSizes.count();
    }

    int fine(StepWorkload step, StepRegime regime) {
        int graph = regime == StepRegime.DECODE ? graphSizes.index(step.decodeRequests()) : -1;
        return graph < 0 ? coarse(step, regime) : COARSE + graph;
    }

    static int log2Ceiling(double tokens) {
        long whole = (long) Math.ceil(tokens);
        return whole <= 1 ? 0 : Math.min(SIZES - 1, 64 - Long.numberOfLeadingZeros(whole - 1));
    }
}
