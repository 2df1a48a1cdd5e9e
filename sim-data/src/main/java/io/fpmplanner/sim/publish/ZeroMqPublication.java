/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.net.BindException;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** A PUB socket of JeroMQ, for TCP. */
final class ZeroMqPublication implements Publication {
    private static final byte[] NO_TOPIC = new byte[0];

    private final ZMQ.Socket socket;
    private final String endpoint;

    ZeroMqPublication(String address, ZContext context) throws BindException {
        socket = context.createSocket(SocketType.PUB);
        socket.setLinger(0);
        try {
            socket.bind(address);
            endpoint = socket.getLastEndpoint();
        } catch (ZMQException | IllegalArgumentException e) {
            socket.close();
            BindException failure =
                    new BindException("cannot publish forward pass metrics on " + address + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    @Override
    public void send(byte[] sequence, byte[] payload) {
        socket.sendMore(NO_TOPIC);
        socket.sendMore(sequence);
        socket.send(payload, ZMQ.DONTWAIT);
    }

    @Override
    public void close() {
        socket.close();
    }
}
