/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.kv;

import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.core.kv.KvDecoding;
import io.fpmplanner.service.config.KvBindSource;
import io.fpmplanner.service.config.ZeroMqSettings;
import io.fpmplanner.service.source.EndpointLedger;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameIntake;
import io.fpmplanner.service.source.PoolSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.Msg;
import zmq.io.Metadata;

/**
 * The sockets for KV telemetry: one SUB for all LoadStat publishers, one PULL for each bound address. {@link #run} belongs to
 * one thread; the others are threadsafe.
 */
final class KvReceiver {
    private static final long POLL_MILLIS = 200;
    private static final int HANDSHAKE_MILLIS = 1_000;
    private static final int BATCH = 256;
    private static final int MOST_PARTS = 4;
    /** A LoadStat publisher beats once a second; one that is silent for so long is connected to anew. */
    private static final long SILENCE_NANOS = 10_000_000_000L;

    private final ZeroMqSettings settings;
    private final List<PoolSource<KvBindSource>> binds;
    private final LongSupplier nanoClock;
    private final KvDecoder decoder = new KvDecoder();
    private final Queue<KvPeer> found = new ConcurrentLinkedQueue<>();
    private final Map<String, Publisher> publishers = new ConcurrentHashMap<>();
    private final List<Bound> bound = new ArrayList<>();
    private volatile boolean running = true;

    /** A LoadStat publisher and when it was last heard or tried. */
    private static final class Publisher {
        final KvPeer peer;
        final EndpointLedger ledger;
        long heardNanos;

        Publisher(KvPeer peer, long nowNanos) {
            this.peer = peer;
            this.ledger = new EndpointLedger(
                    peer.source().poolIndex(),
                    peer.source().spec().toString(),
                    peer.endpoint(),
                    EndpointState.CONNECTING);
            this.heardNanos = nowNanos;
        }
    }

    /** A bound address with the socket that listens there, if it could be bound. */
    private static final class Bound {
        final EndpointLedger ledger;
        long triedNanos;

        ZMQ.@Nullable Socket socket;

        Bound(PoolSource<KvBindSource> source) {
            this.ledger = new EndpointLedger(
                    source.poolIndex(),
                    source.spec().toString(),
                    "tcp://" + source.spec().address(),
                    EndpointState.CONNECTING);
        }
    }

    KvReceiver(ZeroMqSettings settings, List<PoolSource<KvBindSource>> binds, LongSupplier nanoClock) {
        this.settings = settings;
        this.binds = binds;
        this.nanoClock = nanoClock;
        binds.forEach(source -> bound.add(new Bound(source)));
    }

    /** Has a publisher connected to soon, unless it is. */
    void connect(KvPeer peer) {
        found.add(peer);
    }

    /** Ends {@link #run} soon. */
    void stop() {
        running = false;
    }

    List<EndpointStatus> endpoints() {
        List<EndpointStatus> all = new ArrayList<>();
        publishers.values().forEach(publisher -> all.add(publisher.ledger.status()));
        bound.forEach(address -> all.add(address.ledger.status()));
        return all;
    }

    void run(FrameIntake intake) {
        try (ZContext context = new ZContext(1)) {
            context.setLinger(0);
            ZMQ.Socket subscriber = limited(context.createSocket(SocketType.SUB));
            subscriber.subscribe(KvDecoder.LOAD_TOPIC.getBytes(StandardCharsets.US_ASCII));
            ZMQ.Poller poller = context.createPoller(1 + binds.size());
            poller.register(subscriber, ZMQ.Poller.POLLIN);
            while (running) {
                tryToBind(context, poller);
                connectFound(subscriber);
                poller.poll(POLL_MILLIS);
                receivePublished(subscriber, intake);
                bound.forEach(address -> receivePushed(address, intake));
                intake.flush();
                mend(subscriber);
            }
        } catch (ZMQException e) {
            // The context was closed: the service ends.
        }
    }

    private ZMQ.Socket limited(ZMQ.Socket socket) {
        socket.setRcvHWM(settings.receiveHighWaterMark());
        socket.setMaxMsgSize(2L * KvDecoder.MAX_BYTES);
        socket.setReconnectIVL((int) (settings.reconnectSeconds() * 1000));
        socket.setReconnectIVLMax((int) (settings.reconnectMaxSeconds() * 1000));
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.setIPv6(true);
        return socket;
    }

    private void tryToBind(ZContext context, ZMQ.Poller poller) {
        long nowNanos = nanoClock.getAsLong();
        for (Bound address : bound) {
            if (address.socket == null && nowNanos - address.triedNanos > settings.reconnectMaxSeconds() * 1e9) {
                address.triedNanos = nowNanos;
                ZMQ.Socket socket = limited(context.createSocket(SocketType.PULL));
                try {
                    socket.bind(address.ledger.endpoint().replaceFirst(":0$", ":*"));
                    poller.register(socket, ZMQ.Poller.POLLIN);
                    address.socket = socket;
                    address.ledger.enter(EndpointState.LISTENING, "", nowNanos);
                } catch (ZMQException | IllegalArgumentException e) {
                    socket.close();
                    address.ledger.enter(
                            EndpointState.CONNECTING, "address cannot be bound: " + e.getMessage(), nowNanos);
                }
            }
        }
    }

    private void connectFound(ZMQ.Socket subscriber) {
        for (KvPeer peer = found.poll(); peer != null; peer = found.poll()) {
            if (!publishers.containsKey(peer.peer())) {
                publishers.put(peer.peer(), new Publisher(peer, nanoClock.getAsLong()));
                subscriber.connect(peer.endpoint());
            }
        }
    }

    /* JeroMQ 0.6.0 ends a session for good after a breach of the protocol; silence is the sign that can be had simply. */
    private void mend(ZMQ.Socket subscriber) {
        long nowNanos = nanoClock.getAsLong();
        for (Publisher publisher : publishers.values()) {
            if (nowNanos - publisher.heardNanos > SILENCE_NANOS) {
                publisher.heardNanos = nowNanos;
                publisher.ledger.enter(EndpointState.CONNECTING, "no LoadStat for 10 s", nowNanos);
                subscriber.disconnect(publisher.peer.endpoint());
                subscriber.connect(publisher.peer.endpoint());
            }
        }
    }

    private void receivePublished(ZMQ.Socket subscriber, FrameIntake intake) {
        for (int i = 0; i < BATCH; i++) {
            List<Msg> message = receive(subscriber);
            Publisher publisher = message.isEmpty() ? null : publishers.get(peer(message.get(0)));
            if (message.isEmpty()) {
                return;
            }
            if (publisher != null) {
                List<byte[]> parts = message.stream().map(Msg::data).toList();
                byte[] last = parts.get(parts.size() - 1);
                KvDecoding decoding = decoder.decodePublished(parts).withRankUnlessSaid(publisher.peer.rank());
                long nowNanos = nanoClock.getAsLong();
                publisher.heardNanos = nowNanos;
                if (intake.report(publisher.ledger, publisher.peer.endpoint(), decoding, last, 0, last.length)) {
                    publisher.ledger.enter(EndpointState.CONNECTED, "", nowNanos);
                }
            }
        }
    }

    private void receivePushed(Bound address, FrameIntake intake) {
        ZMQ.Socket socket = address.socket;
        for (int i = 0; i < BATCH && socket != null; i++) {
            List<Msg> message = receive(socket);
            if (message.isEmpty()) {
                return;
            }
            byte[] first = message.get(0).data();
            KvDecoding decoding = message.size() == 1
                    ? decoder.decodePushed(first, 0, first.length)
                    : decoder.decodePublished(message.stream().map(Msg::data).toList());
            intake.report(address.ledger, endpoint(peer(message.get(0))), decoding, first, 0, first.length);
        }
    }

    /** The parts of the next message, further ones than needed thrown away; none when nothing waits. */
    private static List<Msg> receive(ZMQ.Socket socket) {
        List<Msg> parts = new ArrayList<>(MOST_PARTS);
        Msg part = socket.base().recv(ZMQ.DONTWAIT);
        while (part != null) {
            if (parts.size() < MOST_PARTS) {
                parts.add(part);
            }
            part = part.hasMore() ? socket.base().recv(ZMQ.DONTWAIT) : null;
        }
        return parts;
    }

    /** The endpoint of a peer named {@code IP:PORT}, where an IPv6 address has no brackets. */
    private static String endpoint(String peer) {
        int colon = peer.lastIndexOf(':');
        boolean ipv6 = colon != peer.indexOf(':');
        return "tcp://" + (ipv6 ? "[" + peer.substring(0, colon) + "]" + peer.substring(colon) : peer);
    }

    private static String peer(Msg message) {
        Metadata metadata = message.getMetadata();
        String peer = metadata == null ? null : metadata.get(Metadata.PEER_ADDRESS);
        return peer == null ? "" : peer;
    }
}
