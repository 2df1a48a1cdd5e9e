/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.publish.ForwardPassMetrics;

/** Where one rank reports its steps. Called by the thread that advances the fleet. */
public interface StepChannel extends AutoCloseable {
    /** Reports a step that ended at {@code endNanos}, which is now. */
    void publish(ForwardPassMetrics metrics, long endNanos);

    /** From now on what is published gets lost, or arrives again. */
    default void setOutage(boolean outage) {}

    /** When the channel has to send a heartbeat; {@link Long#MAX_VALUE} when it sees to that itself. */
    default long nextHeartbeatNanos() {
        return Long.MAX_VALUE;
    }

    /** Sends a heartbeat; called when one is due. */
    default void heartbeat(long nowNanos) {}

    /** The replica is gone. */
    @Override
    void close();
}
