/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepWorkload;

/** Sees every measured step in the moment before it is learned from, so that predictions can be scored on it. */
@FunctionalInterface
public interface StepListener {
    /** Sees nothing. */
    StepListener NONE = (model, step, wallTimeSeconds) -> {};

    /**
     * Called on the pool's own thread. The arguments are live and reused: read them within the call, change and keep
     * nothing.
     *
     * @param model the model about to learn from the step; may be cold
     * @param step what was computed
     * @param wallTimeSeconds how long it took, &gt; 0; of a rank that is slow or fast, what a typical rank would have taken
     */
    void beforeLearning(StepTimeModel model, StepWorkload step, double wallTimeSeconds);
}
