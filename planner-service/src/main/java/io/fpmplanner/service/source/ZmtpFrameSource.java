/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.DynamoSource;
import io.fpmplanner.service.config.IpcSource;
import io.fpmplanner.service.config.KvBindSource;
import io.fpmplanner.service.config.KvConnectSource;
import io.fpmplanner.service.config.PoolConfig;
import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.config.TcpBindSource;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import io.fpmplanner.service.config.ZeroMqSettings.Transport;
import io.fpmplanner.service.zmtp.ZmtpLimits;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import io.fpmplanner.service.zmtp.ZmtpSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives from everything that speaks ZMTP: engines over TCP and Unix-domain sockets, relays that connect to us, Dynamo's
 * event plane, and SGLang's KV telemetry. One thread with one selector serves all endpoints.
 *
 * <p>Memory is bounded whatever a peer sends: a message part above four times {@code zeromq.maxFrameBytes}, or a message
 * above that in all, closes its connection before it is read; nothing is queued but in the ring, whose slots were
 * allocated at the start.
 */
public final class ZmtpFrameSource implements FrameSource {
    /** A part may be this many times larger than a payload before its connection is closed unread. */
    private static final int SOCKET_LIMIT_FACTOR = 4;

    /** Topics, sequences and headers beside the payload. */
    private static final int OTHER_BYTES = 4_096;

    private static final int MOST_PARTS = 16;

    private final ZeroMqSettings settings;
    private final List<PoolConfig> pools;
    private final LongSupplier nanoClock;
    private final HostResolver.Lookup lookup;

    @Nullable
    private volatile Running running;

    private record Running(ZmtpReactor reactor, ZmtpEndpoints endpoints, List<Discovery> discoveries) {}

    /**
     * Prepares the source; nothing is opened before {@link #start}.
     *
     * @param pools whose sources are served, as far as they are of this kind
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     */
    public ZmtpFrameSource(ZeroMqSettings settings, List<PoolConfig> pools, LongSupplier nanoClock) {
        this(settings, pools, nanoClock, HostResolver.Lookup.system());
    }

    /** The same with another name server. */
    public ZmtpFrameSource(
            ZeroMqSettings settings, List<PoolConfig> pools, LongSupplier nanoClock, HostResolver.Lookup lookup) {
        this.settings = settings;
        this.pools = List.copyOf(pools);
        this.nanoClock = nanoClock;
        this.lookup = lookup;
    }

    /** Whether it would have anything to do. */
    public static boolean serves(ZeroMqSettings settings, List<PoolConfig> pools) {
        return !tcp(settings, pools).isEmpty()
                || !PoolSource.of(pools, IpcSource.class).isEmpty()
                || !bound(pools).isEmpty();
    }

    private static List<TcpDiscovery.Entry> tcp(ZeroMqSettings settings, List<PoolConfig> pools) {
        List<TcpDiscovery.Entry> entries = new ArrayList<>();
        if (settings.transport() == Transport.SELECTOR) {
            for (PoolSource<TcpSource> source : PoolSource.of(pools, TcpSource.class)) {
                entries.add(new TcpDiscovery.Entry(
                        Subscription.engine(source, SourceScheme.TCP),
                        source.spec().target()));
            }
        }
        for (PoolSource<DynamoSource> source : PoolSource.of(pools, DynamoSource.class)) {
            entries.add(new TcpDiscovery.Entry(
                    Subscription.eventPlane(source), source.spec().target()));
        }
        for (PoolSource<KvConnectSource> source : PoolSource.of(pools, KvConnectSource.class)) {
            entries.add(new TcpDiscovery.Entry(
                    Subscription.loadStat(source), source.spec().target()));
        }
        return entries;
    }

    private static List<BoundSockets.Entry> bound(List<PoolConfig> pools) {
        List<BoundSockets.Entry> entries = new ArrayList<>();
        PoolSource.of(pools, TcpBindSource.class).forEach(source -> entries.add(BoundSockets.Entry.frames(source)));
        PoolSource.of(pools, KvBindSource.class).forEach(source -> entries.add(BoundSockets.Entry.kv(source)));
        return entries;
    }

    @Override
    public String name() {
        return "zeromq";
    }

    /**
     * As declared.
     *
     * @throws UncheckedIOException if a port of ours cannot be bound; nothing runs then
     */
    @Override
    public synchronized void start(FrameRing ring, Runnable wake) {
        if (running != null) {
            throw new IllegalStateException("already started");
        }
        int partBytes = SOCKET_LIMIT_FACTOR * settings.maxFrameBytes();
        ZmtpSettings link = ZmtpSettings.of(
                new ZmtpLimits(partBytes, partBytes + OTHER_BYTES, MOST_PARTS),
                settings.reconnectSeconds(),
                settings.reconnectMaxSeconds());
        FrameIntake intake = new FrameIntake(ring, wake, settings.maxFrameBytes(), nanoClock);
        ZmtpReactor reactor = new ZmtpReactor("planner-zeromq", link, intake::flush);
        ZmtpEndpoints endpoints = new ZmtpEndpoints(reactor, intake, nanoClock);
        List<Discovery> discoveries = List.of(
                new BoundSockets(bound(pools), settings.allowedAddresses(), reactor, nanoClock),
                new TcpDiscovery(tcp(settings, pools), settings.resolveSeconds(), lookup, nanoClock),
                new IpcDiscovery(PoolSource.of(pools, IpcSource.class), settings.reconnectMaxSeconds(), nanoClock));
        try {
            for (Discovery discovery : discoveries) {
                discovery.start(endpoints);
            }
        } catch (IOException e) {
            discoveries.forEach(Discovery::stop);
            reactor.close();
            throw new UncheckedIOException(e.getMessage(), e);
        }
        reactor.start();
        running = new Running(reactor, endpoints, discoveries);
    }

    @Override
    public List<EndpointStatus> endpoints() {
        Running now = running;
        if (now == null) {
            return List.of();
        }
        List<EndpointStatus> all = new ArrayList<>(now.endpoints().status());
        now.discoveries().forEach(discovery -> all.addAll(discovery.status(now.endpoints())));
        return all;
    }

    @Override
    public boolean isReceiving() {
        Running now = running;
        return now != null && now.reactor().isAlive();
    }

    @Override
    public synchronized void close() {
        Running now = running;
        if (now != null) {
            now.discoveries().forEach(Discovery::stop);
            now.reactor().close();
        }
    }
}
