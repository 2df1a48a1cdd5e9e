/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a peer, or the endeavour to have one: an address that we connect to again and again, or a peer that
 * we accepted. Used by the reactor's thread alone, except {@link #close()}.
 */
public final class ZmtpLink {
    /*
     * A link without a connection is this object and a time. With one it has a session; a buffer of its own only while a
     * message is there in part.
     */
    private static final int LEAST_PENDING_BYTES = 512;
    private static final double JITTER = 0.2;
    private static final int KEEPALIVE_IDLE_SECONDS = 15;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEPALIVE_PROBES = 3;
    /** A libzmq that wants another mechanism than ours hangs up before it says so. */
    private static final String CLOSED_EARLY =
            "the peer closed the connection during the handshake; it may want another security mechanism than NULL";

    private static final byte[] NOTHING = {};

    private final ZmtpReactor reactor;
    private final SocketKind kind;
    private final List<byte[]> topics;
    private final LinkListener listener;
    private final @Nullable SocketAddress target;

    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable ZmtpSession session;
    private byte[] pending = NOTHING;
    private int pendingLength;
    private byte[] unsent = NOTHING;
    private boolean closed;

    private int failures;
    /** When to connect next, while there is no channel. */
    private long retryAtNanos;
    /** When the channel was opened. */
    private long openedNanos;

    private long heardNanos;
    private long pingedNanos;

    /** A link to the target, or with null one to a peer that is about to be adopted. */
    ZmtpLink(
            ZmtpReactor reactor,
            SocketKind kind,
            List<byte[]> topics,
            LinkListener listener,
            @Nullable SocketAddress target) {
        this.reactor = reactor;
        this.kind = kind;
        this.topics = topics;
        this.listener = listener;
        this.target = target;
    }

    /**
     * Queues a message for a peer that subscribed to it; {@link #flush} sends. On the reactor's thread.
     *
     * @return false if it was dropped: there is no peer, it has not subscribed, or too much waits already
     */
    public boolean publish(ZmtpMessage message) {
        ZmtpSession sending = session;
        return sending != null && sending.publish(message, unsent.length);
    }

    /** Sends what is queued as far as the peer takes it; the rest follows by itself. On the reactor's thread. */
    public void flush() {
        try {
            send();
        } catch (IOException e) {
            lost(ZmtpReactor.why(e), System.nanoTime());
        }
    }

    /** Whether there is a peer that subscribed to anything. On the reactor's thread. */
    public boolean isSubscribed() {
        return session != null && session.isSubscribed();
    }

    /** Ends the link for good; any thread. What is under way on the reactor's thread may still be told. */
    public void close() {
        reactor.execute(this::closeNow);
    }

    void closeNow() {
        if (!closed) {
            closed = true;
            drop();
            reactor.remove(this);
            listener.closed();
        }
    }

    /** Gives the connection up, if there is one, and makes another soon; any thread. */
    public void reconnect(String why) {
        reactor.execute(() -> {
            if (channel != null) {
                lost(why, System.nanoTime());
            }
        });
    }

    /** Opens the connection; a failure is told and waited out like a loss. */
    void connect(Selector selector, long nowNanos) {
        SocketAddress address = target;
        if (closed || address == null) {
            return;
        }
        try {
            boolean tcp = address instanceof InetSocketAddress;
            SocketChannel opened = tcp ? SocketChannel.open() : SocketChannel.open(StandardProtocolFamily.UNIX);
            channel = opened;
            opened.configureBlocking(false);
            openedNanos = nowNanos;
            boolean done = opened.connect(address);
            key = opened.register(selector, done ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
            if (done) {
                begin(opened, nowNanos);
            }
        } catch (IOException | RuntimeException e) {
            lost(ZmtpReactor.why(e), nowNanos);
        }
    }

    /** Takes over an accepted connection. */
    void adopt(SocketChannel accepted, Selector selector, long nowNanos) {
        try {
            channel = accepted;
            accepted.configureBlocking(false);
            key = accepted.register(selector, SelectionKey.OP_READ, this);
            begin(accepted, nowNanos);
        } catch (IOException | RuntimeException e) {
            lost(ZmtpReactor.why(e), nowNanos);
        }
    }

    private void begin(SocketChannel connected, long nowNanos) throws IOException {
        openedNanos = nowNanos;
        heardNanos = nowNanos;
        pingedNanos = 0;
        if (connected.getRemoteAddress() instanceof InetSocketAddress) {
            // A host that vanished must be noticed even if its peer cannot be pinged.
            connected.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (connected.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                connected.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
                connected.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_SECONDS);
                connected.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
            }
        }
        session = new ZmtpSession(kind, topics, reactor.settings().limits(), reactor.message(), new Received());
        send();
    }

    private final class Received implements ZmtpSession.Listener {
        @Override
        public void ready() {
            failures = 0;
            listener.connected();
        }

        @Override
        public void message(ZmtpMessage message) {
            listener.message(message);
        }
    }

    /** Does what the channel is ready for. */
    void onSelected(long nowNanos) {
        SelectionKey selected = key;
        SocketChannel open = channel;
        if (selected == null || open == null || !selected.isValid()) {
            return;
        }
        try {
            if (selected.isConnectable() && open.finishConnect()) {
                selected.interestOps(SelectionKey.OP_READ);
                begin(open, nowNanos);
            }
            if (selected.isValid() && selected.isReadable()) {
                read(open, nowNanos);
            }
            if (selected.isValid() && !selected.isConnectable()) {
                send();
            }
        } catch (IOException e) {
            lost(ZmtpReactor.why(e), nowNanos);
        }
    }

    private void read(SocketChannel open, long nowNanos) throws IOException {
        /*
         * What was cut off goes in front of what follows it, so that only that is copied. A busy connection ends nearly every
         * read within a message; all of the read used to be copied behind the beginning of that.
         */
        boolean few = pendingLength <= ZmtpReactor.MOST_LEFT_BYTES;
        int before = few ? pendingLength : 0;
        int count = reactor.read(open, pending, before);
        if (count < 0) {
            boolean greeted = session != null && session.isReady();
            lost(greeted ? "the peer closed the connection" : CLOSED_EARLY, nowNanos);
            return;
        }
        heardNanos = nowNanos;
        pingedNanos = 0;
        ZmtpSession receiving = session;
        if (receiving == null || count == 0) {
            return;
        }
        if (few) {
            int consumed = receiving.receive(reactor.received(), 0, before + count);
            keep(reactor.received(), consumed, before + count);
        } else {
            append(reactor.received(), count);
            int consumed = receiving.receive(pending, 0, pendingLength);
            keep(pending, consumed, pendingLength);
        }
        ZmtpFault fault = receiving.fault();
        if (fault != null) {
            fail(fault, nowNanos);
        } else if (pendingLength > 0 && reactor.isOverfull()) {
            fail(ZmtpFault.breach("all peers together hold too many unfinished messages"), nowNanos);
        }
    }

    /** Keeps what was not consumed; nothing is allocated if that is nothing. */
    private void keep(byte[] array, int from, int to) {
        int left = to - from;
        if (left == 0) {
            reactor.countPending(-pending.length);
            pending = NOTHING;
        } else {
            if (pending.length < left) {
                grow(left);
            }
            System.arraycopy(array, from, pending, 0, left);
        }
        pendingLength = left;
    }

    private void append(byte[] array, int count) {
        if (pending.length < pendingLength + count) {
            byte[] before = pending;
            grow(pendingLength + count);
            System.arraycopy(before, 0, pending, 0, pendingLength);
        }
        System.arraycopy(array, 0, pending, pendingLength, count);
        pendingLength += count;
    }

    private void grow(int needed) {
        int size = Math.max(LEAST_PENDING_BYTES, Integer.highestOneBit(Math.max(1, needed - 1)) << 1);
        reactor.countPending(size - pending.length);
        pending = new byte[size];
    }

    private void fail(ZmtpFault fault, long nowNanos) {
        boolean foreign = fault.kind() == ZmtpFault.Kind.FOREIGN;
        double seconds = foreign
                ? reactor.settings().incompatibleSeconds()
                : reactor.settings().reconnectMaxSeconds();
        drop();
        retryAtNanos = nowNanos + nanos(seconds);
        if (foreign) {
            listener.incompatible(fault.why());
        } else {
            listener.breached(fault.why());
        }
        endIfAccepted();
    }

    private void lost(String why, long nowNanos) {
        drop();
        retryAtNanos = nowNanos + backOffNanos();
        failures++;
        listener.disconnected(why);
        endIfAccepted();
    }

    private long backOffNanos() {
        double seconds = reactor.settings().reconnectSeconds() * Math.pow(2, Math.min(failures, 30));
        double capped = Math.min(seconds, reactor.settings().reconnectMaxSeconds());
        // Spread, or a thousand endpoints that went down together would be tried together for ever.
        return nanos(capped * (1 - JITTER * ThreadLocalRandom.current().nextDouble()));
    }

    private void endIfAccepted() {
        if (target == null) {
            closeNow();
        }
    }

    /** Closes the channel and forgets what came over it. */
    private void drop() {
        SocketChannel open = channel;
        channel = null;
        key = null;
        session = null;
        reactor.countPending(-pending.length);
        pending = NOTHING;
        pendingLength = 0;
        unsent = NOTHING;
        if (open != null) {
            ZmtpReactor.closeQuietly(open);
        }
    }

    private void send() throws IOException {
        ZmtpSession sending = session;
        SocketChannel open = channel;
        SelectionKey selected = key;
        if (sending == null || open == null || selected == null) {
            return;
        }
        while (unsent.length > 0 || sending.hasOutput()) {
            if (unsent.length == 0) {
                unsent = sending.takeOutput();
            }
            ByteBuffer bytes = ByteBuffer.wrap(unsent);
            open.write(bytes);
            if (bytes.hasRemaining()) {
                unsent = java.util.Arrays.copyOfRange(unsent, bytes.position(), unsent.length);
                selected.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            unsent = NOTHING;
        }
        if (selected.interestOps() != SelectionKey.OP_READ) {
            selected.interestOps(SelectionKey.OP_READ);
        }
    }

    /** Looks whether it is time for something: to connect, to give up, to ask the peer whether it is there. */
    void onTick(Selector selector, long nowNanos) {
        if (channel == null) {
            if (nowNanos - retryAtNanos >= 0) {
                connect(selector, nowNanos);
            }
            return;
        }
        ZmtpSession current = session;
        if (current == null || !current.isReady()) {
            if (nowNanos - openedNanos > nanos(reactor.settings().handshakeSeconds())) {
                giveUpHandshake(current != null, nowNanos);
            }
            return;
        }
        long patience = nanos(reactor.settings().heartbeatSeconds());
        if (pingedNanos != 0 && nowNanos - pingedNanos > 2 * patience) {
            lost("the peer does not answer", nowNanos);
        } else if (pingedNanos == 0 && nowNanos - heardNanos > patience && current.canPing()) {
            pingedNanos = nowNanos;
            current.ping();
            try {
                send();
            } catch (IOException e) {
                lost(ZmtpReactor.why(e), nowNanos);
            }
        }
    }

    private void giveUpHandshake(boolean connected, long nowNanos) {
        if (connected) {
            fail(ZmtpFault.foreign("the peer accepts connections and does not greet"), nowNanos);
        } else {
            lost("no answer to the attempt to connect", nowNanos);
        }
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
