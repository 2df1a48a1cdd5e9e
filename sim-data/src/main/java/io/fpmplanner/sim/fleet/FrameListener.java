/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.publish.ForwardPassMetrics;

/** Receives what the ranks of a fleet publish, in order of time, on the thread that advances the fleet. */
@FunctionalInterface
public interface FrameListener {
    /**
     * A frame arrived; steps and heartbeats alike.
     *
     * @param frame its {@code counterId} is the sequence number on its stream, from 0; frames lost leave a gap
     * @param nowNanos when it arrived, on the simulation's clock: the end of the step
     */
    void onFrame(FrameOrigin origin, ForwardPassMetrics frame, long nowNanos);

    /** The publisher's socket closed: the replica has drained, crashed, or the fleet was closed. */
    default void onClosed(FrameOrigin origin) {}
}
