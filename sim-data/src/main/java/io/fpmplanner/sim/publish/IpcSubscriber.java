/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber of an {@link IpcPublication}: its handshake, its subscriptions and what waits to be written to it. {@link
 * #offer} is for the sending thread, everything else for the publication's own.
 */
final class IpcSubscriber {
    /** Messages that may wait, as ZeroMQ's default high-water mark; further ones are dropped. */
    static final int HIGH_WATER_MARK = 1_000;

    private static final int GREETING_BYTES = 64;
    /** Name of the command, name of the property, length and text of its value. */
    private static final int READY_BYTES = 1 + "READY".length() + 1 + "Socket-Type".length() + 4 + "PUB".length();
    /** No subscriber has to say more than this in one frame. */
    private static final int LONGEST_FRAME = 4_096;

    private static final int MORE = 1;
    private static final int LONG = 2;
    private static final int COMMAND = 4;

    private final SocketChannel channel;
    private final BlockingQueue<ByteBuffer> waiting = new ArrayBlockingQueue<>(HIGH_WATER_MARK);
    private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
    private final ByteBuffer chunk = ByteBuffer.allocate(LONGEST_FRAME);
    private boolean greeted;
    private int subscriptions;
    private volatile boolean subscribed;

    @Nullable
    private ByteBuffer current = ByteBuffer.wrap(greeting());

    IpcSubscriber(SocketChannel channel) {
        this.channel = channel;
    }

    SocketChannel channel() {
        return channel;
    }

    /** ZMTP 3.0 with the NULL mechanism, then READY as PUB. */
    private static byte[] greeting() {
        ByteBuffer bytes = ByteBuffer.allocate(GREETING_BYTES + 2 + READY_BYTES);
        bytes.put((byte) 0xff).position(9).put((byte) 0x7f).put((byte) 3).put((byte) 0);
        bytes.put("NULL".getBytes(StandardCharsets.US_ASCII)).position(GREETING_BYTES);
        bytes.put((byte) COMMAND).put((byte) READY_BYTES);
        text(bytes, "READY");
        text(bytes, "Socket-Type");
        bytes.putInt(3).put("PUB".getBytes(StandardCharsets.US_ASCII));
        return bytes.array();
    }

    private static void text(ByteBuffer into, String text) {
        into.put((byte) text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Queues a message if the subscriber wants it and has room; returns whether it did. */
    boolean offer(byte[] sequence, byte[] payload) {
        return subscribed && waiting.offer(message(sequence, payload));
    }

    private static ByteBuffer message(byte[] sequence, byte[] payload) {
        ByteBuffer bytes = ByteBuffer.allocate(2 + 2 + sequence.length + 9 + payload.length);
        bytes.put((byte) MORE).put((byte) 0);
        bytes.put((byte) MORE).put((byte) sequence.length).put(sequence);
        if (payload.length > 255) {
            bytes.put((byte) LONG).putLong(payload.length);
        } else {
            bytes.put((byte) 0).put((byte) payload.length);
        }
        return bytes.put(payload).flip();
    }

    /** Reads what has come; false when the subscriber is to be dropped: it left, or does not speak ZMTP 3. */
    boolean read() throws IOException {
        int count = channel.read(chunk.clear());
        if (count < 0) {
            return false;
        }
        byte[] read = new byte[count];
        chunk.flip().get(read);
        unread.writeBytes(read);
        ByteBuffer bytes = ByteBuffer.wrap(unread.toByteArray());
        boolean fine = (greeted || greet(bytes)) && (!greeted || frames(bytes));
        unread.reset();
        unread.write(bytes.array(), bytes.position(), bytes.remaining());
        return fine;
    }

    private boolean greet(ByteBuffer bytes) {
        if (bytes.remaining() < GREETING_BYTES) {
            return bytes.remaining() == 0 || (bytes.get(0) & 0xff) == 0xff;
        }
        boolean fine = (bytes.get(0) & 0xff) == 0xff && bytes.get(9) == 0x7f && bytes.get(10) >= 3;
        byte[] mechanism = new byte[4];
        bytes.get(12, mechanism);
        bytes.position(GREETING_BYTES);
        greeted = true;
        return fine && new String(mechanism, StandardCharsets.US_ASCII).equals("NULL");
    }

    private boolean frames(ByteBuffer bytes) {
        while (bytes.remaining() >= 2) {
            int flags = bytes.get(bytes.position());
            boolean longLength = (flags & LONG) != 0;
            int header = longLength ? 9 : 2;
            if (bytes.remaining() < header) {
                return true;
            }
            long length = longLength ? bytes.getLong(bytes.position() + 1) : bytes.get(bytes.position() + 1) & 0xff;
            if (length < 0 || length > LONGEST_FRAME) {
                return false;
            }
            if (bytes.remaining() < header + length) {
                return true;
            }
            byte[] body = new byte[(int) length];
            bytes.position(bytes.position() + header).get(body);
            if ((flags & COMMAND) != 0) {
                command(body);
            } else if (body.length > 0) {
                subscription(body[0] == 1 ? 1 : -1, body.length == 1);
            }
        }
        return true;
    }

    /** ZMTP 3.1 subscribes by commands, 3.0 by messages; PING wants its context back. */
    private void command(byte[] body) {
        if (begins(body, "SUBSCRIBE")) {
            subscription(1, body.length == 1 + "SUBSCRIBE".length());
        } else if (begins(body, "CANCEL")) {
            subscription(-1, body.length == 1 + "CANCEL".length());
        } else if (begins(body, "PING") && body.length >= 7) {
            ByteBuffer pong = ByteBuffer.allocate(2 + 5 + body.length - 7);
            pong.put((byte) COMMAND).put((byte) (5 + body.length - 7));
            text(pong, "PONG");
            waiting.offer(pong.put(body, 7, body.length - 7).flip());
        }
    }

    private static boolean begins(byte[] body, String name) {
        return body.length > name.length()
                && body[0] == name.length()
                && new String(body, 1, name.length(), StandardCharsets.US_ASCII).equals(name);
    }

    /** The topic is empty, so only subscriptions to everything match it. */
    private void subscription(int change, boolean toEverything) {
        if (toEverything) {
            subscriptions = Math.max(0, subscriptions + change);
            subscribed = subscriptions > 0;
        }
    }

    /** Writes what fits; returns whether more waits. */
    boolean write() throws IOException {
        while (true) {
            ByteBuffer next = current != null ? current : waiting.poll();
            if (next == null) {
                return false;
            }
            current = next;
            channel.write(next);
            if (next.hasRemaining()) {
                return true;
            }
            current = null;
        }
    }
}
