/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.WireDialect;
import java.nio.ByteBuffer;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A publisher under the test's control, message by message. It is an XPUB, which tells when somebody has subscribed. */
public final class TestPublisher implements AutoCloseable {
    private static final int SUBSCRIBE_MILLIS = 20_000;

    private final ZContext context = new ZContext();
    private final ZMQ.Socket socket = context.createSocket(SocketType.XPUB);
    private final ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
    private final int port;
    private long sequence;

    public TestPublisher() {
        this(0);
    }

    public TestPublisher(int wantedPort) {
        socket.setLinger(0);
        socket.setSndHWM(100_000);
        if (wantedPort == 0) {
            port = socket.bindToRandomPort("tcp://127.0.0.1");
        } else {
            socket.bind("tcp://127.0.0.1:" + wantedPort);
            port = wantedPort;
        }
    }

    public int port() {
        return port;
    }

    public String endpoint() {
        return "tcp://127.0.0.1:" + port;
    }

    /** Waits until a subscription has arrived; what is sent after it is delivered. */
    public TestPublisher awaitSubscriber() {
        socket.setReceiveTimeOut(SUBSCRIBE_MILLIS);
        byte[] message = socket.recv();
        if (message == null || message.length != 1 || message[0] != 1) {
            throw new AssertionError("nobody subscribed to everything on " + endpoint());
        }
        return this;
    }

    /** Waits for a subscription of any kind and returns it: 1 and the topic. */
    public byte[] awaitSubscription() {
        socket.setReceiveTimeOut(SUBSCRIBE_MILLIS);
        byte[] message = socket.recv();
        if (message == null) {
            throw new AssertionError("nobody subscribed on " + endpoint());
        }
        return message;
    }

    public void send(byte[]... parts) {
        for (int i = 0; i < parts.length; i++) {
            socket.send(parts[i], i < parts.length - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    /** A well-formed message with the next sequence number. */
    public void sendPayload(byte[] payload) {
        send(new byte[0], sequenceBytes(sequence++), payload);
    }

    public void sendStep(String workerId, int dpRank, ScheduledRequests scheduled, double wallTimeSeconds) {
        sendPayload(step(workerId, dpRank, scheduled, wallTimeSeconds));
    }

    public void sendDecode(String workerId) {
        sendStep(workerId, 0, new ScheduledRequests(0, 0, 0, 0, 8, 8_000, 0), 0.02);
    }

    public void skip(long numbers) {
        sequence += numbers;
    }

    public byte[] step(String workerId, int dpRank, ScheduledRequests scheduled, double wallTimeSeconds) {
        return encoder.encode(new ForwardPassMetrics(
                workerId, dpRank, sequence, null, wallTimeSeconds, scheduled, QueuedRequests.NONE));
    }

    public static byte[] sequenceBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    @Override
    public void close() {
        context.close();
    }
}
