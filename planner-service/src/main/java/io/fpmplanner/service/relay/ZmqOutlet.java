/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Publishes to a subscriber that is bound somewhere, over a connection of its own, so that the subscriber can tell the
 * endpoints apart.
 */
final class ZmqOutlet implements Outlet {
    private final ZMQ.Socket socket;
    private int subscriptions;

    /*
     * An XPUB is a PUB that tells of its subscribers, and, with NODROP, of what it cannot queue; a PUB would lose both
     * without a word, and the relay could not count.
     */
    ZmqOutlet(ZContext context, String endpoint, RelaySettings settings) {
        this.socket = context.createSocket(SocketType.XPUB);
        socket.setSndHWM(settings.highWaterMark());
        socket.setXpubNoDrop(true);
        socket.setReconnectIVL(RelaySettings.RECONNECT_MILLIS);
        socket.setReconnectIVLMax(RelaySettings.RECONNECT_MAX_MILLIS);
        socket.setHandshakeIvl(RelaySettings.HANDSHAKE_MILLIS);
        socket.setLinger(0);
        socket.setIPv6(true);
        socket.connect(endpoint);
    }

    @Override
    public void turn() {
        for (byte[] change = socket.recv(ZMQ.DONTWAIT); change != null; change = socket.recv(ZMQ.DONTWAIT)) {
            if (change.length > 0) {
                subscriptions = Math.max(0, subscriptions + (change[0] == 1 ? 1 : -1));
            }
        }
    }

    @Override
    public boolean isTaken() {
        return subscriptions > 0;
    }

    @Override
    public boolean send(List<byte[]> parts) {
        if (subscriptions == 0) {
            return false;
        }
        int last = parts.size() - 1;
        for (int i = 0; i <= last; i++) {
            if (!socket.send(parts.get(i), ZMQ.DONTWAIT | (i < last ? ZMQ.SNDMORE : 0))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        socket.close();
    }
}
