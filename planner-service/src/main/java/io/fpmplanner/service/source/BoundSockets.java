/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.config.TcpBindSource;
import io.fpmplanner.service.zmtp.SocketKind;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ports of ours that publishers connect to. Each peer is an endpoint of its own while it is connected. */
final class BoundSockets implements Discovery {
    private final List<PoolSource<TcpBindSource>> sources;
    private final ZmtpReactor reactor;
    private final LongSupplier nanoClock;
    private final List<EndpointLedger> servers = new CopyOnWriteArrayList<>();

    BoundSockets(List<PoolSource<TcpBindSource>> sources, ZmtpReactor reactor, LongSupplier nanoClock) {
        this.sources = sources;
        this.reactor = reactor;
        this.nanoClock = nanoClock;
    }

    @Override
    public void start(ZmtpEndpoints endpoints) throws IOException {
        for (PoolSource<TcpBindSource> source : sources) {
            try {
                bind(source, endpoints);
            } catch (IOException e) {
                throw new IOException("cannot listen on " + source.spec() + ": " + e.getMessage(), e);
            }
        }
    }

    private void bind(PoolSource<TcpBindSource> source, ZmtpEndpoints endpoints) throws IOException {
        TcpBindSource spec = source.spec();
        InetSocketAddress wanted = spec.host().equals(TcpBindSource.ANY)
                ? new InetSocketAddress(spec.port())
                : new InetSocketAddress(spec.host(), spec.port());
        if (wanted.isUnresolved()) {
            throw new IOException("the name has no address");
        }
        Subscription subscription = Subscription.engine(source, SourceScheme.TCP);
        Server server = new Server(source, subscription, endpoints);
        SocketAddress bound = reactor.bind(SocketKind.SUB, subscription.topics(), wanted, server::accept);
        server.listens(bound);
    }

    private final class Server {
        private final PoolSource<TcpBindSource> source;
        private final Subscription subscription;
        private final ZmtpEndpoints endpoints;
        private volatile EndpointLedger ledger;

        Server(PoolSource<TcpBindSource> source, Subscription subscription, ZmtpEndpoints endpoints) {
            this.source = source;
            this.subscription = subscription;
            this.endpoints = endpoints;
            this.ledger = ledger(source.spec().toString());
        }

        void listens(SocketAddress bound) {
            int port = bound instanceof InetSocketAddress inet
                    ? inet.getPort()
                    : source.spec().port();
            ledger = ledger(new TcpBindSource(source.spec().host(), port).toString());
            servers.add(ledger);
        }

        private EndpointLedger ledger(String name) {
            return new EndpointLedger(source.poolIndex(), source.spec().toString(), name, EndpointState.LISTENING);
        }

        @Nullable
        ZmtpEndpoint accept(SocketAddress peer) {
            String address = peer instanceof InetSocketAddress inet
                    ? TcpDiscovery.hostText(inet.getAddress().getHostAddress()) + ":" + inet.getPort()
                    : peer.toString();
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
