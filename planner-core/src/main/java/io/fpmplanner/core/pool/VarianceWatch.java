/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.FpmFrame;

/**
 * Whether an engine computes variances at all. TensorRT-LLM under Dynamo writes 0 for each, which is not known rather than
 * none. Not threadsafe.
 */
final class VarianceWatch {
    /*
     * Lengths are whole numbers: requests whose sum is no multiple of their number cannot all be equally long, so a
     * variance of 0 beside them is untrue. A few such frames without a single variance above 0 settle it, until one comes.
     */
    private static final int PROOFS = 3;

    private int proofs;
    private boolean computed;

    void observe(FpmFrame frame) {
        if (computed) {
            return;
        }
        if (frame.scheduledDecodeKvVariance() > 0
                || frame.scheduledPrefillLengthVariance() > 0
                || frame.queuedPrefillLengthVariance() > 0
                || frame.queuedDecodeKvVariance() > 0) {
            computed = true;
        } else if (proofs < PROOFS
                && (differ(frame.scheduledDecodeRequests(), frame.scheduledDecodeKvTokens())
                        || differ(frame.queuedPrefillRequests(), frame.queuedPrefillTokens()))) {
            proofs++;
        }
    }

    private static boolean differ(long requests, long tokens) {
        return requests > 1 && tokens % requests != 0;
    }

    /** Whether the zeros of this engine mean "not computed". */
    boolean missing() {
        return !computed && proofs == PROOFS;
    }
}
