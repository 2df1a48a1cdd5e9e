/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.SimulatedEngine;
import java.util.List;

/** A replica that is ready or draining, with one channel a rank. Mutable; owned by its pool. */
final class Replica {
    final int slot;
    final SimulatedEngine engine;
    final PacedLaw pace;
    private final List<StepChannel> channels;
    boolean draining;

    Replica(int slot, SimulatedEngine engine, List<StepChannel> channels, PacedLaw pace) {
        this.slot = slot;
        this.engine = engine;
        this.channels = List.copyOf(channels);
        this.pace = pace;
    }

    long nextEventNanos() {
        long next = engine.nextEventNanos();
        for (int i = 0; i < channels.size(); i++) {
            next = Math.min(next, channels.get(i).nextHeartbeatNanos());
        }
        return next;
    }

    void advanceTo(long nowNanos) {
        engine.advanceTo(nowNanos);
        for (int i = 0; i < channels.size(); i++) {
            StepChannel channel = channels.get(i);
            if (channel.nextHeartbeatNanos() <= nowNanos) {
                channel.heartbeat(nowNanos);
            }
        }
    }

    void setOutage(boolean outage) {
        channels.forEach(channel -> channel.setOutage(outage));
    }

    void close() {
        channels.forEach(StepChannel::close);
    }
}
