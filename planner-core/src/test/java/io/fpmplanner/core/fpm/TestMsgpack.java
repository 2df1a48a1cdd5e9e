/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes msgpack for tests, valid or not; shares nothing with the decoder. */
final class TestMsgpack {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    TestMsgpack raw(int... bytes) {
        for (int b : bytes) {
            out.write(b);
        }
        return this;
    }

    TestMsgpack map(int entries) {
        return raw(0x80 | entries);
    }

    TestMsgpack str(String text) {
        return str(text.getBytes(StandardCharsets.UTF_8));
    }

    TestMsgpack str(byte[] bytes) {
        if (bytes.length < 32) {
            raw(0xa0 | bytes.length);
        } else if (bytes.length < 256) {
            raw(0xd9, bytes.length);
        } else {
            raw(0xda, bytes.length >> 8, bytes.length & 0xff);
        }
        out.writeBytes(bytes);
        return this;
    }

    TestMsgpack bin(byte[] bytes) {
        raw(0xc5, bytes.length >> 8, bytes.length & 0xff);
        out.writeBytes(bytes);
        return this;
    }

    TestMsgpack uint64(long value) {
        raw(0xcf);
        out.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
        return this;
    }

    TestMsgpack int64(long value) {
        raw(0xd3);
        out.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
        return this;
    }

    TestMsgpack float64(double value) {
        raw(0xcb);
        out.writeBytes(ByteBuffer.allocate(8).putDouble(value).array());
        return this;
    }

    TestMsgpack float32(float value) {
        raw(0xca);
        out.writeBytes(ByteBuffer.allocate(4).putFloat(value).array());
        return this;
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
