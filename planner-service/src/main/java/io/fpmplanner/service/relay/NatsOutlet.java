/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.service.nats.NatsConnection;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import io.nats.client.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Publishes to NATS in the envelope of Dynamo's event plane, which carries the payload untouched. */
final class NatsOutlet implements Outlet, NatsConnection.Events {
    private static final int PARTS = 3;

    private final String subject;
    private final long publisherId;
    private final LongSupplier epochMillis;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private @Nullable volatile Connection connection;
    private volatile boolean connected;
    private volatile boolean closed;
    private long sequence;

    /**
     * Begins to connect.
     *
     * @param server {@code HOST:PORT}
     * @param publisherId 0 to 2^53 - 1, drawn anew for each endpoint, as Dynamo's publishers do
     */
    NatsOutlet(String server, String subject, long publisherId, LongSupplier epochMillis) {
        this.subject = subject;
        this.publisherId = publisherId;
        this.epochMillis = epochMillis;
        // Nothing is kept for a server that is away: stale frames are worth less than lost ones.
        NatsConnection.open(
                NatsConnection.PLAIN + server, System.getenv(), builder -> builder.reconnectBufferSize(0), this);
    }

    @Override
    public void connected(Connection opened) {
        connection = opened;
        connected = true;
        if (closed) {
            close();
        }
    }

    @Override
    public void disconnected(Connection lost, String why) {
        connection = lost;
        connected = false;
    }

    @Override
    public void slow() {
        // Nothing is subscribed to.
    }

    @Override
    public boolean send(ZmtpMessage message) {
        Connection open = connection;
        if (open == null || !connected || message.parts() != PARTS) {
            return false;
        }
        try {
            open.publish(subject, envelope(message.copy(PARTS - 1)));
            return true;
        } catch (IllegalStateException e) {
            return false; // full, or just lost
        }
    }

    private byte[] envelope(byte[] payload) {
        packer.clear();
        try {
            packer.packMapHeader(5);
            packer.packString("publisher_id").packLong(publisherId);
            packer.packString("sequence").packLong(sequence++);
            packer.packString("published_at").packLong(epochMillis.getAsLong());
            packer.packString("topic").packString(EventEnvelope.FORWARD_PASS_TOPIC);
            packer.packString("payload").packBinaryHeader(payload.length).writePayload(payload);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
    }

    @Override
    public void flush() {
        // The library sends by itself.
    }

    @Override
    public void look() {
        // The library connects again by itself.
    }

    @Override
    public boolean isTaken() {
        return connected;
    }

    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        if (open != null) {
            try {
                open.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
