/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes of the ZMTP, written down from RFC 23 and 37 without regard to the code under test. */
public final class Wire {
    private Wire() {}

    public static byte[] greeting(int major, int minor, String mechanism) {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        bytes.put((byte) 0xff)
                .put(new byte[8])
                .put((byte) 0x7f)
                .put((byte) major)
                .put((byte) minor);
        bytes.put(mechanism.getBytes(StandardCharsets.US_ASCII));
        return bytes.array();
    }

    public static byte[] ready(String socketType) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        property(body, "Identity", "");
        property(body, "Socket-Type", socketType);
        return command("READY", body.toByteArray());
    }

    private static void property(ByteArrayOutputStream into, String name, String value) {
        into.write(name.length());
        into.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        into.writeBytes(ByteBuffer.allocate(4).putInt(value.length()).array());
        into.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] command(String name, byte... data) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(name.length());
        body.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(data);
        return frame(0x04, body.toByteArray());
    }

    public static byte[] message(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < parts.length; i++) {
            out.writeBytes(frame(i < parts.length - 1 ? 0x01 : 0x00, parts[i]));
        }
        return out.toByteArray();
    }

    /** Takes the long form where the short one does not do. */
    public static byte[] frame(int flags, byte[] body) {
        return body.length > 255 ? longFrame(flags, body) : join(new byte[] {(byte) flags, (byte) body.length}, body);
    }

    public static byte[] longFrame(int flags, byte[] body) {
        return join(header(flags, body.length), body);
    }

    /** The header of a long frame that declares so many bytes. */
    public static byte[] header(int flags, long size) {
        return ByteBuffer.allocate(9).put((byte) (flags | 0x02)).putLong(size).array();
    }

    public static byte[] join(byte[]... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
