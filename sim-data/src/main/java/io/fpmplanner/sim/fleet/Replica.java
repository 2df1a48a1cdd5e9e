/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.Refusal;
import io.fpmplanner.sim.engine.SimulatedEngine;
import io.fpmplanner.sim.workload.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A replica that is ready or draining, with one channel a rank. Mutable; owned by its pool. */
final class Replica {
    /*
     * A fleet asks each replica after each event when its next one is, so that time is kept and worked out anew only when something
     * was done to the engine. All that moves the engine therefore goes through here.
     */
    final int slot;
    final SimulatedEngine engine;
    final PacedLaw pace;
    private final List<StepChannel> channels;
    private long nextEventNanos;
    boolean draining;

    Replica(int slot, SimulatedEngine engine, List<StepChannel> channels, PacedLaw pace) {
        this.slot = slot;
        this.engine = engine;
        this.channels = List.copyOf(channels);
        this.pace = pace;
        refresh();
    }

    long nextEventNanos() {
        return nextEventNanos;
    }

    void advanceTo(long nowNanos) {
        if (nextEventNanos > nowNanos) {
            return;
        }
        engine.advanceTo(nowNanos);
        for (int i = 0; i < channels.size(); i++) {
            StepChannel channel = channels.get(i);
            if (channel.nextHeartbeatNanos() <= nowNanos) {
                channel.heartbeat(nowNanos);
            }
        }
        refresh();
    }

    @Nullable
    Refusal submit(Request request, long nowNanos) {
        Refusal refusal = engine.submit(request, nowNanos);
        refresh();
        return refusal;
    }

    @Nullable
    Refusal submit(Request request, int rank, long nowNanos) {
        Refusal refusal = engine.submit(request, rank, nowNanos);
        refresh();
        return refusal;
    }

    @Nullable
    Refusal submitPrefilled(Request request, long firstTokenNanos, long nowNanos) {
        Refusal refusal = engine.submitPrefilled(request, firstTokenNanos, nowNanos);
        refresh();
        return refusal;
    }

    void stallUntil(long untilNanos) {
        engine.stallUntil(untilNanos);
        refresh();
    }

    private void refresh() {
        long next = engine.nextEventNanos();
        for (int i = 0; i < channels.size(); i++) {
            next = Math.min(next, channels.get(i).nextHeartbeatNanos());
        }
        nextEventNanos = next;
    }

    void setOutage(boolean outage) {
        channels.forEach(channel -> channel.setOutage(outage));
    }

    void close() {
        channels.forEach(StepChannel::close);
    }
}
