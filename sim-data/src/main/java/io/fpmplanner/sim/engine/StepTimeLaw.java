/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** How long an engine takes for a step. Implementations may hold random state and then are not threadsafe. */
public interface StepTimeLaw {
    /** Duration of the step in seconds; &gt; 0 and finite for a batch that is not empty. */
    double seconds(StepBatch batch);
}
