/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.RankIdentity;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.ForwardPassPublisher;
import io.fpmplanner.sim.publish.PublisherSettings;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.zeromq.ZContext;

/**
 * Channels over real ZeroMQ sockets: the replica in slot n of a pool publishes on the pool's first port plus n. Engines of
 * several ranks need ports chosen by the system.
 *
 * <p>Counters may be read from any thread.
 */
public final class ZmqChannels implements StepChannels, AutoCloseable {
    private final ZContext context = new ZContext();
    private final String host;
    private final Map<String, Integer> firstPorts;
    private final LongSupplier nanoClock;
    private final AtomicLong dropped = new AtomicLong();

    /**
     * @param host interface to bind, {@code *} for all
     * @param firstPorts first port of each pool by id; 0 lets the system choose each port
     * @param nanoClock times the heartbeats
     */
    public ZmqChannels(String host, Map<String, Integer> firstPorts, LongSupplier nanoClock) {
        this.host = host;
        this.firstPorts = Map.copyOf(firstPorts);
        this.nanoClock = nanoClock;
    }

    @Override
    public StepChannel open(String poolId, int slot, RankIdentity identity, long nowNanos) throws IOException {
        Integer firstPort = firstPorts.get(poolId);
        if (firstPort == null) {
            throw new IllegalArgumentException("no ports for pool '" + poolId + "', there are " + firstPorts);
        }
        if (firstPort != 0 && identity.dpRank() > 0) {
            throw new IllegalArgumentException(
                    "pool '" + poolId + "' has fixed ports, one a replica: rank " + identity.dpRank() + " has none");
        }
        int port = firstPort == 0 ? 0 : firstPort + slot;
        PublisherSettings settings = PublisherSettings.of(port, identity.workerId(), identity.dpRank())
                .onHost(host);
        ForwardPassPublisher publisher = ForwardPassPublisher.bind(settings, nanoClock, context);
        return new PublisherChannel(publisher);
    }

    /** Records that could not be queued for publishing. */
    public long dropped() {
        return dropped.get();
    }

    /** Closes the ZeroMQ context; all channels must be closed before. */
    @Override
    public void close() {
        context.close();
    }

    private final class PublisherChannel implements StepChannel {
        private final ForwardPassPublisher publisher;
        private boolean outage;

        PublisherChannel(ForwardPassPublisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public void publish(ForwardPassMetrics metrics, long endNanos) {
            if (!outage && !publisher.publish(metrics)) {
                dropped.incrementAndGet();
            }
        }

        @Override
        public void setOutage(boolean newOutage) {
            outage = newOutage;
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
