/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What a session has to send: greeting, commands and subscriptions, as bytes. Not threadsafe. */
final class ZmtpOutput {
    /** What may wait to be sent; more means that the peer asks without reading. */
    private static final int MAX_BYTES = 65_536;

    /** What may wait to be published: some 1,000 frames, as many as a ZeroMQ publisher holds by default. */
    private static final int MAX_QUEUED_BYTES = 512 * 1024;

    private static final int LONG_HEADER_BYTES = 9;
    private static final int MINOR = 1;
    private static final int SHORT_BYTES = 255;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(ZmtpSession.GREETING_BYTES);
    private boolean overfull;

    /** Begins with the greeting of version 3.1, mechanism NULL. */
    ZmtpOutput() {
        byte[] greeting = new byte[ZmtpSession.GREETING_BYTES];
        greeting[0] = (byte) 0xff;
        greeting[ZmtpSession.SIGNATURE_END] = 0x7f;
        greeting[ZmtpSession.MAJOR_AT] = 3;
        greeting[ZmtpSession.MINOR_AT] = MINOR;
        byte[] mechanism = ascii("NULL");
        System.arraycopy(mechanism, 0, greeting, ZmtpSession.MECHANISM_AT, mechanism.length);
        bytes.writeBytes(greeting);
    }

    boolean isEmpty() {
        return bytes.size() == 0;
    }

    /** Whether something had to be left out because too much was waiting. */
    boolean isOverfull() {
        return overfull;
    }

    /** The bytes to be sent, which are taken from here. */
    byte[] take() {
        byte[] taken = bytes.toByteArray();
        bytes.reset();
        return taken;
    }

    void ready(SocketKind kind) {
        byte[] type = ascii(kind.name());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        name(body, "Socket-Type");
        body.writeBytes(new byte[] {0, 0, 0, (byte) type.length});
        body.writeBytes(type);
        command("READY", body.toByteArray());
    }

    /** A subscription in the form of 3.1 or of 3.0. */
    void subscribe(byte[] topic, boolean asCommand) {
        if (asCommand) {
            command("SUBSCRIBE", topic);
        } else {
            byte[] body = new byte[1 + topic.length];
            body[0] = 1;
            System.arraycopy(topic, 0, body, 1, topic.length);
            frame(0, body);
        }
    }

    void command(String name, byte[] data) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        name(body, name);
        body.writeBytes(data);
        frame(ZmtpSession.COMMAND, body.toByteArray());
    }

    /**
     * A message with all its parts.
     *
     * @param queuedBytes waiting elsewhere to be sent
     * @return false if it was dropped because too much waits already
     */
    boolean message(ZmtpMessage message, int queuedBytes) {
        int needed = 0;
        for (int i = 0; i < message.parts(); i++) {
            needed += LONG_HEADER_BYTES + message.length(i);
        }
        if (queuedBytes + bytes.size() + needed > MAX_QUEUED_BYTES) {
            return false;
        }
        for (int i = 0; i < message.parts(); i++) {
            header(i < message.parts() - 1 ? ZmtpSession.MORE : 0, message.length(i));
            bytes.write(message.buffer(), message.offset(i), message.length(i));
        }
        return true;
    }

    private static void name(ByteArrayOutputStream into, String name) {
        into.write(name.length());
        into.writeBytes(ascii(name));
    }

    private void frame(int flags, byte[] body) {
        if (bytes.size() + body.length > MAX_BYTES) {
            overfull = true;
            return;
        }
        header(flags, body.length);
        bytes.writeBytes(body);
    }

    private void header(int flags, int length) {
        if (length > SHORT_BYTES) {
            bytes.write(flags | ZmtpSession.LONG);
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes.write((int) ((long) length >>> shift));
            }
        } else {
            bytes.write(flags);
            bytes.write(length);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
