/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.SimulatedEngine;

/** A replica that is ready or draining. Mutable; owned by its pool. */
final class Replica {
    final int slot;
    final SimulatedEngine engine;
    final StepChannel channel;
    final PacedLaw pace;
    boolean draining;

    Replica(int slot, SimulatedEngine engine, StepChannel channel, PacedLaw pace) {
        this.slot = slot;
        this.engine = engine;
        this.channel = channel;
        this.pace = pace;
    }

    long nextEventNanos() {
        return Math.min(engine.nextEventNanos(), channel.nextHeartbeatNanos());
    }

    void advanceTo(long nowNanos) {
        engine.advanceTo(nowNanos);
        if (channel.nextHeartbeatNanos() <= nowNanos) {
            channel.heartbeat(nowNanos);
        }
    }
}
