/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.publish.ForwardPassMetrics;

/**
 * Channels in virtual time: frames are numbered as on a socket, heartbeats follow each interval of silence, and all of it goes
 * to one listener. {@link io.fpmplanner.sim.publish.ForwardPassEncoder} makes the bytes of a frame. Not threadsafe.
 */
public final class FrameChannels implements StepChannels {
    /** Heartbeat interval of the engines: a second. */
    public static final long HEARTBEAT_NANOS = 1_000_000_000L;

    private final FrameListener listener;
    private final long heartbeatNanos;

    /** @param heartbeatNanos silence after which a heartbeat is sent; &ge; 1 */
    public FrameChannels(FrameListener listener, long heartbeatNanos) {
        if (heartbeatNanos < 1) {
            throw new IllegalArgumentException("heartbeatNanos must be at least 1, was " + heartbeatNanos);
        }
        this.listener = listener;
        this.heartbeatNanos = heartbeatNanos;
    }

    /** Channels with the engines' heartbeat interval. */
    public FrameChannels(FrameListener listener) {
        this(listener, HEARTBEAT_NANOS);
    }

    @Override
    public StepChannel open(String poolId, int slot, RankIdentity identity, long nowNanos) {
        return new Channel(new FrameOrigin(poolId, slot, identity.workerId(), identity.dpRank()), nowNanos);
    }

    private final class Channel implements StepChannel {
        private final FrameOrigin origin;
        private long sequence;
        private long lastSentNanos;
        private boolean outage;

        Channel(FrameOrigin origin, long nowNanos) {
            this.origin = origin;
            this.lastSentNanos = nowNanos;
        }

        @Override
        public void publish(ForwardPassMetrics metrics, long endNanos) {
            send(metrics, endNanos);
        }

        @Override
        public void setOutage(boolean newOutage) {
            outage = newOutage;
        }

        @Override
        public long nextHeartbeatNanos() {
            return lastSentNanos + heartbeatNanos;
        }

        @Override
        public void heartbeat(long nowNanos) {
            send(ForwardPassMetrics.heartbeat(origin.workerId(), origin.dpRank()), nowNanos);
        }

        private void send(ForwardPassMetrics metrics, long nowNanos) {
            lastSentNanos = nowNanos;
            long number = sequence++;
            if (!outage) {
                listener.onFrame(
                        origin, metrics.counterId() == number ? metrics : metrics.withCounterId(number), nowNanos);
            }
        }

        @Override
        public void close() {
            listener.onClosed(origin);
        }
    }
}
