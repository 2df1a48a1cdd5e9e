/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.fpm.RejectReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Writes a JSON value as the msgpack value it stands for. Not threadsafe. */
final class MsgpackWriter {
    private static final int MAX_INTEGER_BITS = 64;

    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();

    /**
     * The bytes of the value.
     *
     * @throws JsonRefused if an integer does not fit into 64 bits
     */
    byte[] write(JsonNode value) throws JsonRefused {
        packer.clear();
        try {
            put(value);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
    }

    /* Recursive: the parser bounds the depth. */
    private void put(JsonNode value) throws IOException, JsonRefused {
        switch (value.getNodeType()) {
            case OBJECT -> {
                packer.packMapHeader(value.size());
                for (var field : value.properties()) {
                    packer.packString(field.getKey());
                    put(field.getValue());
                }
            }
            case ARRAY -> {
                packer.packArrayHeader(value.size());
                for (JsonNode element : value) {
                    put(element);
                }
            }
            case STRING -> packer.packString(value.textValue());
            case BOOLEAN -> packer.packBoolean(value.booleanValue());
            case NUMBER -> putNumber(value);
            default -> packer.packNil();
        }
    }

    private void putNumber(JsonNode number) throws IOException, JsonRefused {
        if (!number.isIntegralNumber()) {
            packer.packDouble(number.doubleValue());
        } else if (number.canConvertToLong()) {
            packer.packLong(number.longValue());
        } else if (number.bigIntegerValue().bitLength() <= MAX_INTEGER_BITS
                && number.bigIntegerValue().signum() > 0) {
            packer.packBigInteger(number.bigIntegerValue());
        } else {
            boolean negative = number.bigIntegerValue().signum() < 0;
            throw new JsonRefused(negative ? RejectReason.NEGATIVE : RejectReason.TOO_LARGE, "an integer is too large");
        }
    }
}
