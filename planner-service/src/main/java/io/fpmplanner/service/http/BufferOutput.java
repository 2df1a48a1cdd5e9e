/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;

/** Collects what is written in a buffer that can be sent as it is. Not threadsafe. */
final class BufferOutput extends OutputStream {
    private static final int FIRST_BYTES = 1 << 16;

    private final Buffer buffer = Buffer.buffer(FIRST_BYTES);

    /** The whole body. */
    static Buffer of(LargeBody body) throws IOException {
        try (BufferOutput output = new BufferOutput()) {
            body.writeTo(output);
            return output.buffer;
        }
    }

    @Override
    public void write(int octet) {
        buffer.appendByte((byte) octet);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        buffer.appendBytes(bytes, offset, length);
    }
}
