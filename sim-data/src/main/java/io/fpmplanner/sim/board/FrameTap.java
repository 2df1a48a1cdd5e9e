/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.fleet.StepChannel;
import io.fpmplanner.sim.fleet.StepChannels;
import io.fpmplanner.sim.policy.PublishedFrame;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Collects the frames of a fleet as one subscriber to all would get them: numbered, with a heartbeat after each second of
 * silence. Not threadsafe.
 */
final class FrameTap implements StepChannels {
    /** Engines' default; also the step in which runs look at the fleet, so heartbeats come at whole seconds. */
    private static final long HEARTBEAT_NANOS = 1_000_000_000L;

    private final boolean collecting;
    private final List<Channel> channels = new ArrayList<>();
    private List<PublishedFrame> frames = new ArrayList<>();
    private LongSupplier clock = () -> 0;
    private boolean out;

    /** @param collecting false to let all frames go by */
    FrameTap(boolean collecting) {
        this.collecting = collecting;
    }

    /** Connects it with the clock of the fleet it listens to. */
    void follow(LongSupplier fleetClock) {
        this.clock = fleetClock;
    }

    /** Begins or ends an outage: frames published in it are lost, but numbered. */
    void setOut(boolean nowOut) {
        this.out = nowOut;
    }

    @Override
    public StepChannel open(String poolId, int slot, RankIdentity identity) {
        Channel channel = new Channel(poolId, slot, identity);
        if (collecting) {
            channels.add(channel);
        }
        return channel;
    }

    void beatHearts(long nowNanos) {
        channels.removeIf(channel -> channel.closed);
        for (Channel channel : channels) {
            if (nowNanos - channel.lastNanos >= HEARTBEAT_NANOS) {
                channel.send(
                        ForwardPassMetrics.heartbeat(channel.identity.workerId(), channel.identity.dpRank()), nowNanos);
            }
        }
    }

    /** The frames since this was asked last. */
    List<PublishedFrame> take() {
        List<PublishedFrame> taken = frames;
        frames = new ArrayList<>();
        return taken;
    }

    private final class Channel implements StepChannel {
        private final String poolId;
        private final String endpoint;
        private final RankIdentity identity;
        private long sequence;
        private long lastNanos = clock.getAsLong();
        private boolean closed;

        Channel(String poolId, int slot, RankIdentity identity) {
            this.poolId = poolId;
            this.endpoint = "tcp://" + poolId + ":" + (20_380 + slot);
            this.identity = identity;
        }

        @Override
        public void publish(ForwardPassMetrics metrics) {
            send(metrics, clock.getAsLong());
        }

        private void send(ForwardPassMetrics metrics, long nowNanos) {
            lastNanos = nowNanos;
            long number = sequence++;
            if (collecting && !out) {
                frames.add(new PublishedFrame(poolId, endpoint, number, nowNanos, metrics.withCounterId(number)));
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
