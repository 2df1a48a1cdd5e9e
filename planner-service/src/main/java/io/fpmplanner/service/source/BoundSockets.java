/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.KvBindSource;
import io.fpmplanner.service.config.Network;
import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.config.TcpBindSource;
import io.fpmplanner.service.zmtp.SocketKind;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ports of ours that peers connect to. Each peer is an endpoint of its own while it is connected. */
final class BoundSockets implements Discovery {
    private final List<Entry> entries;
    private final List<Network> allowed;
    private final ZmtpReactor reactor;
    private final LongSupplier nanoClock;
    private final List<EndpointLedger> servers = new CopyOnWriteArrayList<>();

    /**
     * A configured entry.
     *
     * @param subscription how the messages of its peers are read
     * @param kind of our socket
     * @param host address or name to bind, {@link TcpBindSource#ANY} for all
     * @param port to bind, 0 for any that is free
     * @param name of the socket, by the port that it has
     */
    record Entry(Subscription subscription, SocketKind kind, String host, int port, IntFunction<String> name) {
        /** For publishers of frames. */
        static Entry frames(PoolSource<TcpBindSource> source) {
            TcpBindSource spec = source.spec();
            return new Entry(
                    Subscription.engine(source, SourceScheme.TCP),
                    SocketKind.SUB,
                    spec.host(),
                    spec.port(),
                    port -> new TcpBindSource(spec.host(), port).toString());
        }

        /** For schedulers that push what they know of their KV cache. */
        static Entry kv(PoolSource<KvBindSource> source) {
            KvBindSource spec = source.spec();
            return new Entry(
                    Subscription.pushedKv(source),
                    SocketKind.PULL,
                    spec.host(),
                    spec.port(),
                    port -> new KvBindSource(spec.host(), port).toString());
        }
    }

    /** Peers are taken from these networks alone, or from all if there is none. */
    BoundSockets(List<Entry> entries, List<Network> allowed, ZmtpReactor reactor, LongSupplier nanoClock) {
        this.entries = List.copyOf(entries);
        this.allowed = List.copyOf(allowed);
        this.reactor = reactor;
        this.nanoClock = nanoClock;
    }

    @Override
    public void start(ZmtpEndpoints endpoints) throws IOException {
        for (Entry entry : entries) {
            try {
                bind(entry, endpoints);
            } catch (IOException e) {
                throw new IOException("cannot listen on " + entry.subscription().spec() + ": " + e.getMessage(), e);
            }
        }
    }

    private void bind(Entry entry, ZmtpEndpoints endpoints) throws IOException {
        InetSocketAddress wanted = entry.host().equals(TcpBindSource.ANY)
                ? new InetSocketAddress(entry.port())
                : new InetSocketAddress(entry.host(), entry.port());
        if (wanted.isUnresolved()) {
            throw new IOException("the name has no address");
        }
        Server server = new Server(entry, endpoints);
        SocketAddress bound = reactor.bind(entry.kind(), entry.subscription().topics(), wanted, server::accept);
        server.listens(bound);
    }

    private final class Server {
        private final Entry entry;
        private final ZmtpEndpoints endpoints;
        private volatile EndpointLedger ledger;

        Server(Entry entry, ZmtpEndpoints endpoints) {
            this.entry = entry;
            this.endpoints = endpoints;
            this.ledger = ledger(entry.port());
        }

        void listens(SocketAddress bound) {
            ledger = ledger(bound instanceof InetSocketAddress inet ? inet.getPort() : entry.port());
            servers.add(ledger);
        }

        private EndpointLedger ledger(int port) {
            Subscription subscription = entry.subscription();
            return new EndpointLedger(
                    subscription.poolIndex(),
                    subscription.spec().toString(),
                    entry.name().apply(port),
                    EndpointState.LISTENING);
        }

        @Nullable
        ZmtpEndpoint accept(SocketAddress peer) {
            String address = peer instanceof InetSocketAddress inet
                    ? TcpDiscovery.hostText(inet.getAddress().getHostAddress()) + ":" + inet.getPort()
                    : peer.toString();
            if (peer instanceof InetSocketAddress inet && !Network.allow(allowed, inet.getAddress())) {
                ledger.countProtocolError(address + ": not among zeromq.allowedAddresses", nanoClock.getAsLong());
                return null;
            }
            Subscription subscription = entry.subscription();
            ZmtpEndpoint accepted = endpoints.accept(subscription, subscription.endpoint(address), ledger);
            if (accepted == null) {
                ledger.countProtocolError(address + ": too many endpoints", nanoClock.getAsLong());
            }
            return accepted;
        }
    }

    @Override
    public List<EndpointStatus> status(ZmtpEndpoints endpoints) {
        return servers.stream().map(EndpointLedger::status).toList();
    }

    @Override
    public void stop() {
        // The reactor closes its sockets itself.
    }
}
