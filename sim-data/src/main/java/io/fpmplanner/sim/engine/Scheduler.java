/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.engine;

/** Composes the next step from an engine's queues. Stateless apart from what it is told at construction. */
interface Scheduler {
    /** Fills an empty batch; leaves it empty when nothing can run now. Requests it admits move from waiting to running. */
    void compose(EngineQueues queues, StepBatch batch);
}
