/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.config.ZeroMqSettings;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;
import zmq.Msg;
import zmq.io.Metadata;

/**
 * The ZeroMQ thread: one SUB socket to all endpoints, its monitor, and the decoding of what arrives into the ring.
 *
 * <p>Constructed and run by one thread each; {@link #submit}, {@link #stop} and {@link #connections} are threadsafe.
 */
final class ZmqReceiver implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(ZmqReceiver.class);
    private static final String MONITOR = "inproc://planner-monitor";
    private static final int MONITORED = ZMQ.EVENT_CONNECT_DELAYED
            | ZMQ.EVENT_CONNECT_RETRIED
            | ZMQ.EVENT_CONNECTED
            | ZMQ.EVENT_HANDSHAKE_PROTOCOL
            | ZMQ.EVENT_DISCONNECTED
            | ZMQ.EVENT_CLOSED;
    /** Bounds how long a command, a retry or the end of the service waits for a silent socket. */
    private static final long POLL_MILLIS = 50;
    /** Messages read before the monitor and the commands get their turn. */
    private static final int BATCH = 1024;
    /** A part may be this many times larger than a payload before its connection is closed unread. */
    private static final int SOCKET_LIMIT_FACTOR = 4;

    /*
     * JeroMQ 0.6.0 sometimes fails to register a fresh connection with its selector, so that the handshake never starts
     * (zeromq/jeromq pull request 1022; here 2 to 25 of 100 connections, more under load). Its handshake timer then
     * reconnects, after 30 s if left alone. A healthy handshake takes a few round trips.
     */
    static final int HANDSHAKE_MILLIS = 1_000;

    private static final int PARTS = 3;

    private final FrameIntake intake;
    private final LongSupplier nanoClock;
    private final ZContext context;
    private final ZMQ.Socket socket;
    private final ZmqConnections connections;
    private final Msg[] parts = new Msg[PARTS];
    private final Queue<BiConsumer<ZmqConnections, Long>> commands = new ConcurrentLinkedQueue<>();
    private final Sampler failures = new Sampler(10);
    private final AtomicLong strays = new AtomicLong();
    private volatile boolean running = true;

    @Nullable
    private Metadata lastMetadata;

    @Nullable
    private Connection lastConnection;

    ZmqReceiver(ZeroMqSettings settings, FrameRing ring, Runnable wake, LongSupplier nanoClock) {
        this.intake = new FrameIntake(ring, wake, settings.maxFrameBytes(), nanoClock);
        this.nanoClock = nanoClock;
        this.context = new ZContext(1);
        context.setLinger(0);
        context.setUncaughtExceptionHandler(ZmqReceiver::threadFailed);
        context.setNotificationExceptionHandler(ZmqReceiver::threadFailed);
        this.socket = context.createSocket(SocketType.SUB);
        socket.setRcvHWM(settings.receiveHighWaterMark());
        socket.setReconnectIVL((int) (settings.reconnectSeconds() * 1000));
        socket.setReconnectIVLMax((int) (settings.reconnectMaxSeconds() * 1000));
        socket.setMaxMsgSize((long) SOCKET_LIMIT_FACTOR * settings.maxFrameBytes());
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.setIPv6(true);
        socket.subscribe(new byte[0]);
        this.connections = new ZmqConnections(socket, settings);
    }

    private static void threadFailed(Thread thread, Throwable problem) {
        log.atError().addKeyValue("thread", thread.getName()).setCause(problem).log("a ZeroMQ thread failed");
    }

    /** Has something done to the connections on the ZeroMQ thread, soon. */
    void submit(BiConsumer<ZmqConnections, Long> command) {
        commands.add(command);
    }

    /** Ends {@link #run} soon. */
    void stop() {
        running = false;
    }

    Collection<Connection> connections() {
        return connections.all();
    }

    /** Messages of peers that are no endpoint any more. */
    long strays() {
        return strays.get();
    }

    @Override
    public void run() {
        try (context) {
            socket.monitor(MONITOR, MONITORED);
            ZMQ.Socket monitor = context.createSocket(SocketType.PAIR);
            monitor.connect(MONITOR);
            ZMQ.Poller poller = context.createPoller(2);
            poller.register(socket, ZMQ.Poller.POLLIN);
            poller.register(monitor, ZMQ.Poller.POLLIN);
            while (running) {
                turn(poller, monitor);
            }
        }
    }

    private void turn(ZMQ.Poller poller, ZMQ.Socket monitor) {
        try {
            for (var command = commands.poll(); command != null; command = commands.poll()) {
                command.accept(connections, nanoClock.getAsLong());
            }
            poller.poll(POLL_MILLIS);
            ZEvent event = ZEvent.recv(monitor, ZMQ.DONTWAIT);
            while (event != null) {
                connections.onEvent(event, nanoClock.getAsLong());
                event = ZEvent.recv(monitor, ZMQ.DONTWAIT);
            }
            receiveBatch();
            connections.mend(nanoClock.getAsLong());
        } catch (RuntimeException e) {
            // Whatever one message or event does, the others must still be read.
            long heldBack = failures.admit(nanoClock.getAsLong());
            if (running && heldBack != Sampler.HELD_BACK) {
                log.atError().addKeyValue("heldBack", heldBack).setCause(e).log("receiving failed; going on");
            }
        }
    }

    private void receiveBatch() {
        try {
            for (int i = 0; i < BATCH; i++) {
                Msg first = socket.base().recv(ZMQ.DONTWAIT);
                if (first == null) {
                    return;
                }
                receive(first);
            }
        } finally {
            intake.flush();
        }
    }

    /** Takes one message whatever its number of parts: more than three are read and thrown away, one by one. */
    private void receive(Msg first) {
        int count = 0;
        Msg part = first;
        while (part != null) {
            if (count < PARTS) {
                parts[count] = part;
            }
            count++;
            part = part.hasMore() ? socket.base().recv(ZMQ.DONTWAIT) : null;
        }
        Connection connection = connectionOf(first);
        if (connection == null) {
            strays.incrementAndGet();
            return;
        }
        hand(connection.ledger(), count);
    }

    private void hand(EndpointLedger from, int count) {
        byte[] last = parts[Math.min(count, PARTS) - 1].data();
        if (count != PARTS || parts[0].size() != 0) {
            intake.refuse(from, RejectReason.BAD_MULTIPART, last, 0, last.length);
            return;
        }
        long sequence = FpmDecoder.sequence(parts[1].data());
        if (sequence < 0) {
            intake.refuse(from, RejectReason.BAD_SEQUENCE, last, 0, last.length);
        } else {
            intake.payload(from, sequence, last, 0, last.length);
        }
    }

    /*
     * All messages of one connection share one Metadata object, so a burst of one peer needs no look-up. The peer's
     * address tells apart ranks whose worker ids are equal or empty; without it they would merge into one.
     */
    private @Nullable Connection connectionOf(Msg message) {
        Metadata metadata = message.getMetadata();
        if (metadata == null) {
            return null;
        }
        Connection known = lastConnection;
        if (sameObject(metadata, lastMetadata) && known != null) {
            return known;
        }
        String peer = metadata.get(Metadata.PEER_ADDRESS);
        Connection connection = peer == null ? null : connections.ofPeer(peer);
        lastMetadata = metadata;
        lastConnection = connection;
        return connection;
    }

    @SuppressWarnings("ReferenceEquality") // Equal metadata of two peers would be a different connection.
    private static boolean sameObject(Metadata metadata, @Nullable Metadata other) {
        return metadata == other;
    }
}
