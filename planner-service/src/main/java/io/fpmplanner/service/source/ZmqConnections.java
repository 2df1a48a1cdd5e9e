/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.service.config.ZeroMqSettings;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/**
 * The connections of one SUB socket and what its monitor says of them. Used by the ZeroMQ thread alone, except {@link
 * #all()}.
 */
final class ZmqConnections {
    /*
     * JeroMQ 0.6.0 reconnects after a lost connection and after a handshake that timed out, each time announcing it by
     * CONNECT_RETRIED right after DISCONNECTED. After a breach of the protocol, a message above MAXMSGSIZE included, it
     * ends the session for good and says nothing more. So a loss that no retry follows is ours to mend, by disconnect and
     * connect. A peer that does not speak ZMTP 2 or 3 at all is announced as protocol 0; JeroMQ would try it again
     * hundreds of times a second because every TCP connect succeeds, hence we take it off and wait. One that says nothing
     * looks like the stalled handshakes of JeroMQ itself (see ZmqReceiver); only many in a row tell it apart.
     */
    private static final long GRACE_NANOS = 500_000_000;

    /** A handshake that was cut this late was cut by its timer, not by the peer. */
    private static final long STALL_NANOS = ZmqReceiver.HANDSHAKE_MILLIS * 1_000_000L / 2;

    private static final double INCOMPATIBLE_WAIT_SECONDS = 10;
    private static final double DOUBLES_LOG_SECONDS = 60;
    private static final int UNVERSIONED = 0;
    private static final Logger log = LoggerFactory.getLogger(ZmqConnections.class);

    private final ZMQ.Socket socket;
    private final ZeroMqSettings settings;
    private final Map<String, Connection> byPeer = new ConcurrentHashMap<>();
    private final Map<String, Connection> byEndpoint = new HashMap<>();
    private final Sampler doubles = new Sampler(DOUBLES_LOG_SECONDS);

    ZmqConnections(ZMQ.Socket socket, ZeroMqSettings settings) {
        this.socket = socket;
        this.settings = settings;
    }

    /** All connections; safe from any thread. */
    Collection<Connection> all() {
        return byPeer.values();
    }

    /** The connection to a peer, named {@code IP:PORT} as in the metadata of its messages. */
    @Nullable
    Connection ofPeer(String peer) {
        return byPeer.get(peer);
    }

    /** Connects to every address that is not connected to yet, and gives up unconnected ones that the name lost. */
    void resolved(List<Target> targets, List<InetAddress> addresses, long nowNanos) {
        for (Target target : targets) {
            for (InetAddress address : addresses) {
                add(target, address, nowNanos);
            }
            List<String> kept = addresses.stream().map(target::endpoint).toList();
            byEndpoint.values().stream()
                    .filter(connection -> connection.target().equals(target))
                    .filter(connection -> !kept.contains(connection.endpoint()))
                    .filter(connection -> connection.state() != EndpointState.CONNECTED)
                    .toList()
                    .forEach(connection -> remove(connection));
        }
    }

    private void add(Target target, InetAddress address, long nowNanos) {
        String peer = target.peer(address);
        Connection known = byPeer.get(peer);
        if (known != null) {
            if (!known.target().equals(target) && doubles.admit(nowNanos) != Sampler.HELD_BACK) {
                log.atWarn()
                        .addKeyValue("endpoint", known.endpoint())
                        .addKeyValue("source", target.source())
                        .addKeyValue("other", known.target().source())
                        .log("two sources lead to one address; it counts for the other");
            }
            return;
        }
        Connection connection = new Connection(target, target.endpoint(address));
        byPeer.put(peer, connection);
        byEndpoint.put(connection.endpoint(), connection);
        connect(connection, nowNanos);
    }

    private void remove(Connection connection) {
        byEndpoint.remove(connection.endpoint());
        byPeer.values().remove(connection);
        socket.disconnect(connection.endpoint());
        log.atInfo()
                .addKeyValue("endpoint", connection.endpoint())
                .addKeyValue("source", connection.target().source())
                .log("endpoint is no longer an address of its source");
    }

    private void connect(Connection connection, long nowNanos) {
        try {
            socket.connect(connection.endpoint());
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("endpoint", connection.endpoint())
                    .setCause(e)
                    .log("endpoint cannot be used");
            connection.retryAt(nowNanos + nanos(INCOMPATIBLE_WAIT_SECONDS));
        }
    }

    /** Handles one event of the socket's monitor. */
    void onEvent(ZEvent event, long nowNanos) {
        Connection connection = byEndpoint.get(event.getAddress());
        if (connection == null) {
            return;
        }
        switch (event.getEvent()) {
            case CONNECT_DELAYED, CONNECT_RETRIED -> connection.retrying();
            case CONNECTED -> {
                connection.retrying();
                connection.accepted(nowNanos);
            }
            case HANDSHAKE_PROTOCOL -> onHandshake(connection, event.getValue(), nowNanos);
            case DISCONNECTED -> onDisconnected(connection, nowNanos);
            case CLOSED -> onClosed(connection, nowNanos);
            default -> {
                // Of no consequence to the state.
            }
        }
    }

    private void onHandshake(Connection connection, @Nullable Object value, long nowNanos) {
        if (value instanceof Integer version && version == UNVERSIONED) {
            putOff(connection, nowNanos);
            return;
        }
        connection.handshakesAgain();
        connection.ledger().enter(EndpointState.CONNECTED, "", nowNanos);
    }

    private void putOff(Connection connection, long nowNanos) {
        socket.disconnect(connection.endpoint());
        connection.retryAt(nowNanos + nanos(INCOMPATIBLE_WAIT_SECONDS));
        connection.ledger().enter(EndpointState.INCOMPATIBLE, "peer does not speak ZMTP", nowNanos);
    }

    private void onDisconnected(Connection connection, long nowNanos) {
        if (connection.isForeign(nowNanos, STALL_NANOS)) {
            putOff(connection, nowNanos);
            return;
        }
        connection.lost(nowNanos);
        if (connection.state() == EndpointState.CONNECTED) {
            connection.ledger().enter(EndpointState.CONNECTING, "connection lost", nowNanos);
        }
    }

    private static void onClosed(Connection connection, long nowNanos) {
        if (connection.state() == EndpointState.INCOMPATIBLE) {
            // Our own doing, see putOff.
            return;
        }
        connection.handshakesAgain();
        connection.ledger().enter(EndpointState.CONNECTING, "endpoint does not answer", nowNanos);
    }

    /** Mends what ZeroMQ gave up; call it now and then. */
    void mend(long nowNanos) {
        for (Connection connection : byEndpoint.values()) {
            if (connection.abandoned(nowNanos, GRACE_NANOS)) {
                connection.retryAt(nowNanos + nanos(settings.reconnectMaxSeconds()));
                socket.disconnect(connection.endpoint());
                connection.ledger().countProtocolError("not ZMTP, or a message above the size limit", nowNanos);
            }
            if (connection.takeRetry(nowNanos)) {
                connection.ledger().enter(EndpointState.CONNECTING, "trying again", nowNanos);
                connect(connection, nowNanos);
            }
        }
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
