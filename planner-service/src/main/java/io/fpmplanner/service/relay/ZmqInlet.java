/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Subscribes to one publisher over TCP. */
final class ZmqInlet implements Inlet {
    private static final int MAX_PART_BYTES = 1 << 20;
    private static final int MOST_PARTS = 8;

    private final String endpoint;
    private final ZMQ.Socket socket;

    ZmqInlet(ZContext context, String endpoint, RelaySettings settings) {
        this.endpoint = endpoint;
        this.socket = context.createSocket(SocketType.SUB);
        socket.setRcvHWM(settings.highWaterMark());
        socket.setReconnectIVL(RelaySettings.RECONNECT_MILLIS);
        socket.setReconnectIVLMax(RelaySettings.RECONNECT_MAX_MILLIS);
        socket.setHandshakeIvl(RelaySettings.HANDSHAKE_MILLIS);
        socket.setMaxMsgSize(MAX_PART_BYTES);
        socket.setIPv6(true);
        socket.subscribe(new byte[0]);
        socket.connect(endpoint);
    }

    ZMQ.Socket socket() {
        return socket;
    }

    @Override
    public String name() {
        return endpoint;
    }

    @Override
    public int receive(int most, Consumer<List<byte[]>> to) {
        for (int i = 0; i < most; i++) {
            byte[] part = socket.recv(ZMQ.DONTWAIT);
            if (part == null) {
                return i;
            }
            List<byte[]> parts = new ArrayList<>(3);
            parts.add(part);
            while (socket.hasReceiveMore()) {
                byte[] next = socket.recv(ZMQ.DONTWAIT);
                // What has more parts than anyone sends is read to its end, and cut.
                if (next != null && parts.size() < MOST_PARTS) {
                    parts.add(next);
                }
            }
            to.accept(parts);
        }
        return most;
    }

    @Override
    public void close() {
        socket.close();
    }
}
