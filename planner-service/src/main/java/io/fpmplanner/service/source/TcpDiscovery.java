/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.HostPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hosts and ports that we connect to. A name stands for all addresses it has, and is looked up again and again. */
final class TcpDiscovery implements Discovery {
    private static final double NAME_LOG_SECONDS = 60;
    private static final Logger log = LoggerFactory.getLogger(TcpDiscovery.class);

    private final List<Entry> entries;
    private final LongSupplier nanoClock;
    private final Map<String, EndpointState> names = new ConcurrentHashMap<>();
    private final Map<String, Sampler> samplers = new ConcurrentHashMap<>();
    private final HostResolver resolver;

    @Nullable
    private volatile ZmtpEndpoints endpoints;

    /** A configured entry: how to subscribe there, and where that is. */
    record Entry(Subscription subscription, HostPorts target) {}

    TcpDiscovery(List<Entry> entries, double resolveSeconds, HostResolver.Lookup lookup, LongSupplier nanoClock) {
        this.entries = List.copyOf(entries);
        this.nanoClock = nanoClock;
        Set<String> hosts = entries.stream()
                .map(entry -> entry.target().host())
                .filter(host -> !HostResolver.isLiteral(host))
                .collect(Collectors.toSet());
        hosts.forEach(host -> names.put(host, EndpointState.RESOLVING));
        this.resolver = new HostResolver(hosts, resolveSeconds, new Names(), lookup);
    }

    @Override
    public void start(ZmtpEndpoints found) throws IOException {
        endpoints = found;
        for (Entry entry : entries) {
            if (HostResolver.isLiteral(entry.target().host())) {
                // No lookup: the text is an address, as was checked.
                connect(
                        found,
                        entry,
                        List.of(InetAddress.getByName(entry.target().host())));
            }
        }
        resolver.start();
    }

    private static void connect(ZmtpEndpoints found, Entry entry, List<InetAddress> addresses) {
        Set<String> names = new HashSet<>();
        for (int port = entry.target().firstPort(); port <= entry.target().lastPort(); port++) {
            for (InetAddress address : addresses) {
                String name = entry.subscription().endpoint(hostText(address.getHostAddress()) + ":" + port);
                names.add(name);
                found.connect(entry.subscription(), name, new InetSocketAddress(address, port));
            }
        }
        found.retain(entry.subscription(), names);
    }

    /** A host as it stands before a port. */
    static String hostText(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private final class Names implements HostResolver.Listener {
        @Override
        public void resolved(String host, List<InetAddress> addresses) {
            if (names.put(host, EndpointState.CONNECTING) == EndpointState.UNRESOLVABLE) {
                log.atInfo().addKeyValue("host", host).log("host name resolves now");
            }
            ZmtpEndpoints found = endpoints;
            if (found != null) {
                entries.stream()
                        .filter(entry -> entry.target().host().equals(host))
                        .forEach(entry -> connect(found, entry, addresses));
            }
        }

        @Override
        public void unresolvable(String host, String why) {
            // Connections made from an earlier answer stay: a name server's trouble must not cut the telemetry.
            names.put(host, EndpointState.UNRESOLVABLE);
            Sampler sampler = samplers.computeIfAbsent(host, any -> new Sampler(NAME_LOG_SECONDS));
            if (sampler.admit(nanoClock.getAsLong()) != Sampler.HELD_BACK) {
                log.atWarn()
                        .addKeyValue("host", host)
                        .addKeyValue("why", why)
                        .log("host name does not resolve; it is looked up again and again");
            }
        }
    }

    @Override
    public List<EndpointStatus> status(ZmtpEndpoints found) {
        List<EndpointStatus> all = new ArrayList<>();
        for (Entry entry : entries) {
            EndpointState state = names.get(entry.target().host());
            if (state != null && !found.has(entry.subscription())) {
                for (int port = entry.target().firstPort();
                        port <= entry.target().lastPort();
                        port++) {
                    all.add(withoutAddress(entry, port, state));
                }
            }
        }
        return all;
    }

    private static EndpointStatus withoutAddress(Entry entry, int port, EndpointState state) {
        Subscription subscription = entry.subscription();
        return new EndpointStatus(
                subscription.poolIndex(),
                subscription.spec().toString(),
                subscription.endpoint(entry.target().host() + ":" + port),
                state,
                state == EndpointState.UNRESOLVABLE ? "the name has no address" : "",
                EndpointCounts.NONE);
    }

    @Override
    public void stop() {
        resolver.stop();
    }
}
