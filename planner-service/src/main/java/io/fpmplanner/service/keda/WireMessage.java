/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Messages of gRPC, written field by field. */
public final class WireMessage {
    private WireMessage() {}

    /** Writes the fields of a message. */
    @FunctionalInterface
    public interface Fields {
        /** Writes them; the stream, which is in memory, does not fail. */
        void write(CodedOutputStream out) throws IOException;
    }

    /** A message of these fields. */
    public static byte[] of(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            fields.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
