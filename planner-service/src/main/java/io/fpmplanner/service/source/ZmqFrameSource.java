/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes to FPM publishers over ZeroMQ TCP by the JeroMQ library, as vLLM and Dynamo offer them.
 *
 * <p>One SUB socket serves all endpoints. Host names are looked up by us and again every while, so that a name with many
 * addresses (a headless Service) gives as many endpoints, and one that has none yet is picked up when it has.
 *
 * <p>Memory is bounded whatever a peer sends: a message part above four times {@code zeromq.maxFrameBytes} closes its
 * connection before it is read, at most {@code zeromq.receiveHighWaterMark} messages wait per connection, and the ring
 * holds {@code handoffFrames} slots that were allocated at start.
 */
public final class ZmqFrameSource implements FrameSource {
    private static final Logger log = LoggerFactory.getLogger(ZmqFrameSource.class);
    private static final long JOIN_MILLIS = 2_000;
    private static final double NAME_LOG_SECONDS = 60;

    private final ZeroMqSettings settings;
    private final LongSupplier nanoClock;
    private final List<Target> targets;
    private final HostResolver resolver;
    private final Map<String, EndpointState> names = new ConcurrentHashMap<>();
    private final Map<String, Sampler> nameSamplers = new ConcurrentHashMap<>();

    @Nullable
    private volatile ZmqReceiver receiver;

    @Nullable
    private volatile Thread thread;

    /**
     * Prepares the source; nothing is opened before {@link #start}.
     *
     * @param sources what to connect to
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     */
    public ZmqFrameSource(ZeroMqSettings settings, List<PoolSource<TcpSource>> sources, LongSupplier nanoClock) {
        this(settings, sources, nanoClock, HostResolver.Lookup.system());
    }

    ZmqFrameSource(
            ZeroMqSettings settings,
            List<PoolSource<TcpSource>> sources,
            LongSupplier nanoClock,
            HostResolver.Lookup lookup) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.targets = Target.of(sources);
        Set<String> hosts = targets.stream()
                .map(Target::host)
                .filter(host -> !HostResolver.isLiteral(host))
                .collect(Collectors.toSet());
        hosts.forEach(host -> names.put(host, EndpointState.RESOLVING));
        this.resolver = new HostResolver(hosts, settings.resolveSeconds(), new Names(), lookup);
    }

    @Override
    public String name() {
        return "jeromq";
    }

    @Override
    public synchronized void start(FrameRing ring, Runnable wake) {
        if (receiver != null) {
            throw new IllegalStateException("already started");
        }
        ZmqReceiver started = new ZmqReceiver(settings, ring, wake, nanoClock);
        receiver = started;
        targets.stream()
                .map(Target::host)
                .filter(HostResolver::isLiteral)
                .distinct()
                .forEach(this::useLiteral);
        Thread created = new Thread(started, "planner-zeromq");
        created.setDaemon(true);
        created.start();
        thread = created;
        resolver.start();
    }

    private void useLiteral(String host) {
        try {
            // No lookup: the text is an address, or is refused at once.
            connect(host, List.of(InetAddress.getByName(host)));
        } catch (UnknownHostException e) {
            new Names().unresolvable(host, "not an address");
        }
    }

    private void connect(String host, List<InetAddress> addresses) {
        List<Target> ofHost =
                targets.stream().filter(target -> target.host().equals(host)).toList();
        ZmqReceiver started = receiver;
        if (started != null) {
            started.submit((connections, nowNanos) -> connections.resolved(ofHost, addresses, nowNanos));
        }
    }

    private final class Names implements HostResolver.Listener {
        @Override
        public void resolved(String host, List<InetAddress> addresses) {
            if (names.put(host, EndpointState.CONNECTING) == EndpointState.UNRESOLVABLE) {
                log.atInfo().addKeyValue("host", host).log("host name resolves now");
            }
            connect(host, addresses);
        }

        @Override
        public void unresolvable(String host, String why) {
            // Connections made from an earlier answer stay: a name server's trouble must not cut the telemetry.
            names.put(host, EndpointState.UNRESOLVABLE);
            Sampler sampler = nameSamplers.computeIfAbsent(host, any -> new Sampler(NAME_LOG_SECONDS));
            if (sampler.admit(nanoClock.getAsLong()) != Sampler.HELD_BACK) {
                log.atWarn()
                        .addKeyValue("host", host)
                        .addKeyValue("why", why)
                        .log("host name does not resolve; it is looked up again and again");
            }
        }
    }

    @Override
    public List<EndpointStatus> endpoints() {
        ZmqReceiver started = receiver;
        List<EndpointStatus> all = new ArrayList<>();
        Set<Target> connected = Set.of();
        if (started != null) {
            // Copied once: one that is added meanwhile must not be missing from both.
            List<Connection> connections = List.copyOf(started.connections());
            connections.forEach(connection -> all.add(connection.ledger().status()));
            connected = connections.stream().map(Connection::target).collect(Collectors.toSet());
        }
        for (Target target : targets) {
            if (!connected.contains(target)) {
                all.add(withoutAddress(target));
            }
        }
        all.sort(Comparator.comparingInt(EndpointStatus::poolIndex).thenComparing(EndpointStatus::endpoint));
        return all;
    }

    @Override
    public boolean isReceiving() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    private EndpointStatus withoutAddress(Target target) {
        EndpointState state = names.getOrDefault(target.host(), EndpointState.CONNECTING);
        String detail = state == EndpointState.UNRESOLVABLE ? "no address found" : "";
        return new EndpointStatus(
                target.poolIndex(),
                target.source().toString(),
                target.unresolvedEndpoint(),
                state,
                detail,
                EndpointCounts.NONE);
    }

    @Override
    public synchronized void close() {
        resolver.stop();
        ZmqReceiver started = receiver;
        Thread running = thread;
        if (started == null || running == null) {
            return;
        }
        started.stop();
        try {
            running.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (running.isAlive()) {
            log.atWarn().log("the ZeroMQ thread did not end in time");
        }
    }
}
