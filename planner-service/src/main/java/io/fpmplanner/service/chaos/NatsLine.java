/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.core.fpm.EventEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** A publisher of Dynamo's event plane over NATS. */
final class NatsLine implements Line {
    private final NatsStand server;
    private final long publisherId;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private boolean open;
    private long wrongByMillis;

    NatsLine(NatsStand server, long publisherId) {
        this.server = server;
        this.publisherId = publisherId;
    }

    @Override
    public boolean open() {
        open = true;
        return true;
    }

    @Override
    public void frame(long sequence, byte[] payload) {
        packer.clear();
        try {
            packer.packMapHeader(5);
            packer.packString("publisher_id").packLong(publisherId);
            packer.packString("sequence").packLong(sequence);
            packer.packString("published_at").packLong(System.currentTimeMillis() + wrongByMillis);
            packer.packString("topic").packString(EventEnvelope.FORWARD_PASS_TOPIC);
            packer.packString("payload").packBinaryHeader(payload.length).writePayload(payload);
            send(packer.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
    }

    @Override
    public void rubbish(List<byte[]> parts) {
        parts.forEach(this::send);
    }

    private void send(byte[] body) {
        if (open) {
            server.publish(body);
        }
    }

    @Override
    public void mistime(long byMillis) {
        wrongByMillis = byMillis;
    }

    @Override
    public void close() {
        open = false;
    }
}
