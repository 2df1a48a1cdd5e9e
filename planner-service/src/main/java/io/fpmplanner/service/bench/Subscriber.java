/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One connection of a {@link LoadPublisher}: the little of ZMTP 3.0 that a publisher needs, and what is still to be sent. */
final class Subscriber {
    private static final int GREETING_BYTES = 64;
    private static final int COMMAND = 4;
    private static final byte[] READY =
            "\u0005READY\u000bSocket-Type\0\0\0\u0003PUB".getBytes(StandardCharsets.US_ASCII);

    private final SocketChannel channel;
    private final byte[] workerIds;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final ByteBuffer out;
    private boolean subscribed;

    /** Frames that became due, that were written or given up, and that were given up. */
    long due;

    long done;
    long droppedFrames;

    /**
     * Greets the peer.
     *
     * @param workerIds of the workers that share this socket, one after the other
     * @param bufferBytes what is written at once at most
     */
    Subscriber(SocketChannel channel, byte[] workerIds, int bufferBytes) throws IOException {
        this.channel = channel;
        this.workerIds = workerIds;
        this.out = ByteBuffer.allocateDirect(bufferBytes);
        out.put((byte) 0xff).position(9).put((byte) 0x7f).put((byte) 3).put((byte) 0);
        out.put("NULL".getBytes(StandardCharsets.US_ASCII)).position(GREETING_BYTES);
        out.put((byte) COMMAND).put((byte) READY.length).put(READY);
        flush();
    }

    boolean isSubscribed() {
        return subscribed;
    }

    /** The id of the worker whose turn it is. */
    void workerId(byte[] into) {
        int workers = workerIds.length / into.length;
        System.arraycopy(workerIds, (int) (done % workers) * into.length, into, 0, into.length);
    }

    /** Reads what the peer says, of which only the subscription matters. */
    void read(ByteBuffer chunk) throws IOException {
        int count = channel.read(chunk.clear());
        if (count < 0) {
            throw new IOException("the subscriber left");
        }
        byte[] read = new byte[count];
        chunk.flip().get(read);
        if (subscribed) {
            return;
        }
        heard.writeBytes(read);
        byte[] bytes = heard.toByteArray();
        int at = GREETING_BYTES;
        while (at + 2 <= bytes.length && at + 2 + (bytes[at + 1] & 0xff) <= bytes.length) {
            // READY is a command; a subscription to everything is a message of the one byte 1.
            subscribed |= (bytes[at] & COMMAND) == 0 && bytes[at + 1] == 1 && bytes[at + 2] == 1;
            at += 2 + (bytes[at + 1] & 0xff);
        }
    }

    /** Where the next messages go. */
    ByteBuffer out() {
        return out;
    }

    /** Writes what the peer takes; returns whether that was all. */
    boolean flush() throws IOException {
        out.flip();
        channel.write(out);
        boolean all = !out.hasRemaining();
        out.compact();
        return all;
    }
}
