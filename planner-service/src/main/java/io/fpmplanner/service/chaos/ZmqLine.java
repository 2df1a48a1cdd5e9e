/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** A ZeroMQ publisher on a port of its own, as engines have it. */
final class ZmqLine implements Line {
    private static final byte[] NOTHING = {};

    private final ZContext context;
    private final String address;
    private ZMQ.@Nullable Socket socket;

    ZmqLine(ZContext context, String host, int port) {
        this.context = context;
        this.address = "tcp://" + host + ":" + port;
    }

    @Override
    public boolean open() {
        if (socket != null) {
            return true;
        }
        ZMQ.Socket bound = context.createSocket(SocketType.PUB);
        bound.setLinger(0);
        try {
            bound.bind(address);
            socket = bound;
        } catch (ZMQException e) {
            // The socket before gives the port back a moment after it was closed.
            bound.close();
        }
        return socket != null;
    }

    @Override
    public void frame(long sequence, byte[] payload) {
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
        rubbish(List.of(NOTHING, number, payload));
    }

    @Override
    public void rubbish(List<byte[]> parts) {
        ZMQ.Socket open = socket;
        for (int i = 0; open != null && i < parts.size(); i++) {
            open.send(parts.get(i), i < parts.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    @Override
    public void mistime(long byMillis) {
        // These messages do not say when they were sent.
    }

    @Override
    public void close() {
        ZMQ.Socket bound = socket;
        socket = null;
        if (bound != null) {
            bound.close();
        }
    }
}
