/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.latency;

/**
 * What became of posted observations.
 *
 * @param accepted scored
 * @param unpredicted came before anything that is remembered to have been predicted
 * @param inFuture had not happened yet by the planner's clock
 */
public record ObservationCount(int accepted, int unpredicted, int inFuture) {
    /** Those not scored. */
    public int refused() {
        return unpredicted + inFuture;
    }
}
