/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.config.IpcSource;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.source.SocketFiles;
import io.fpmplanner.service.zmtp.ZmtpLimits;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import io.fpmplanner.service.zmtp.ZmtpSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Passes messages on until it is stopped. {@link #run} by one thread; {@link #stop} by any. */
final class Relay {
    /* What comes meanwhile is passed on together: a wake-up costs more than a message, and a planner looks once a second. */
    private static final long PAUSE_MILLIS = 20;

    private static final long LOOK_MILLIS = 1_000;
    private static final int MOST_LINES = 1_000;
    private static final int PUBLISHER_ID_BITS = 53;
    private static final ZmtpSettings LINKS = ZmtpSettings.of(new ZmtpLimits(1 << 18, 1 << 19, 16), 0.1, 2);

    private final List<SourceSpec> from;
    private final List<SourceSpec> to;
    private final Consumer<String> log;
    private final ZmtpReactor reactor = new ZmtpReactor("planner-relay", LINKS, this::afterBatch);
    private final Map<String, RelayLine> lines = new ConcurrentHashMap<>();
    /** Names of lines by the entry they come from. */
    private final Map<SourceSpec, Set<String>> known = new ConcurrentHashMap<>();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private RelayCounts former = RelayCounts.NONE;
    private boolean taken;

    /**
     * A relay that does nothing yet.
     *
     * @param from publishers: {@link TcpSource} or {@link IpcSource}
     * @param to targets: {@link TcpSource} with one port, or {@link NatsSource} without wildcards
     */
    Relay(List<SourceSpec> from, List<SourceSpec> to, Consumer<String> log) {
        this.from = List.copyOf(from);
        this.to = List.copyOf(to);
        this.log = log;
    }

    void run() throws InterruptedException {
        reactor.start();
        try {
            do {
                look();
            } while (!stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            reactor.close();
            lines.values().forEach(RelayLine::close);
        }
    }

    /** Has {@link #run} return soon. */
    void stop() {
        stopped.countDown();
    }

    private void afterBatch() {
        lines.values().forEach(RelayLine::flush);
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        from.forEach(this::find);
        boolean all = !lines.isEmpty();
        for (RelayLine line : lines.values()) {
            all &= line.look();
        }
        if (all != taken) {
            taken = all;
            log.accept(all ? "the other side takes messages" : "the other side is away; messages are dropped");
        }
    }

    private void find(SourceSpec source) {
        Map<String, SocketAddress> found = new ConcurrentHashMap<>();
        if (source instanceof TcpSource tcp) {
            if (!addresses(tcp.target(), found)) {
                return; // Lines made from an earlier answer stay.
            }
        } else if (source instanceof IpcSource ipc) {
            List<Path> files = IpcSource.isPattern(ipc.path())
                    ? SocketFiles.matching(ipc, MOST_LINES)
                    : List.of(Path.of(ipc.path()));
            files.forEach(file -> found.put("ipc://" + file, UnixDomainSocketAddress.of(file)));
        }
        found.forEach((name, address) -> {
            if (!lines.containsKey(name) && lines.size() < MOST_LINES) {
                lines.put(name, new RelayLine(name, address, outlets(), reactor));
                log.accept("subscribing to " + name);
            }
        });
        drop(source, found.keySet());
    }

    /** Whether the host has an address now. */
    private static boolean addresses(HostPorts target, Map<String, SocketAddress> found) {
        try {
            for (InetAddress address : InetAddress.getAllByName(target.host())) {
                for (int port = target.firstPort(); port <= target.lastPort(); port++) {
                    found.put(
                            "tcp://" + new HostPorts(address.getHostAddress(), port, port),
                            new InetSocketAddress(address, port));
                }
            }
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Ends the lines of a source whose file or address is no more. */
    private void drop(SourceSpec source, Set<String> found) {
        Set<String> before = known.put(source, new HashSet<>(found));
        if (before == null) {
            return;
        }
        for (String name : before) {
            RelayLine line = found.contains(name) ? null : lines.remove(name);
            if (line != null) {
                line.close();
                former = former.plus(line.counts());
                log.accept(name + " is no more");
            }
        }
    }

    private List<Outlet> outlets() {
        List<Outlet> outlets = new ArrayList<>();
        for (SourceSpec target : to) {
            if (target instanceof NatsSource nats) {
                long publisherId = new SecureRandom().nextLong() >>> (Long.SIZE - PUBLISHER_ID_BITS);
                outlets.add(new NatsOutlet(
                        nats.server().toString(), nats.subject().text(), publisherId, System::currentTimeMillis));
            } else if (target instanceof TcpSource tcp) {
                outlets.add(new ZmtpOutlet(reactor, tcp.target()));
            }
        }
        return outlets;
    }

    /** One line on each endpoint if there are several, and one on all; after {@link #run}. */
    List<String> counts() {
        List<String> text = new ArrayList<>();
        RelayCounts all = former;
        for (RelayLine line : lines.values()) {
            all = all.plus(line.counts());
            if (lines.size() > 1) {
                text.add(line.counts().line(line.name()));
            }
        }
        text.add(all.line("relay"));
        return text;
    }
}
