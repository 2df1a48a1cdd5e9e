/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** Takes the body of a request apart into its frames, without yet reading them. Not threadsafe. */
final class FrameBatch {
    static final List<String> MSGPACK =
            List.of("application/msgpack", "application/x-msgpack", "application/vnd.msgpack");
    static final List<String> JSON = List.of("application/json");
    static final List<String> JSON_LINES = List.of("application/x-ndjson", "application/ndjson", "application/jsonl");

    private static final byte[] NOTHING = {};

    private final FrameLineReader lines = new FrameLineReader();
    private final FpmDecoder decoder;

    FrameBatch(int maxFrameBytes) {
        this.decoder = new FpmDecoder(maxFrameBytes);
    }

    /** One frame of a body, or what came in its place. */
    interface Item {
        /** The pool that it names itself; empty if none. */
        String pool();

        @Nullable
        RejectReason read(FpmFrame into);

        /** After reading, the msgpack payload; empty if it stands for none. */
        byte[] payload();

        /** After a refusal, the field that was no good; empty if it was no single one's fault. */
        String refusedField();
    }

    /**
     * The items of a body.
     *
     * @param mediaType one of the three lists above
     * @throws JsonRefused if the body as a whole is malformed
     */
    List<Item> items(String mediaType, byte[] body) throws JsonRefused {
        if (MSGPACK.contains(mediaType)) {
            return msgpack(body);
        }
        return JSON.contains(mediaType) ? json(body) : jsonLines(body);
    }

    private List<Item> json(byte[] body) throws JsonRefused {
        JsonNode tree = FrameJson.tree(body, 0, body.length);
        List<Item> items = new ArrayList<>();
        if (tree.isArray()) {
            tree.forEach(element -> items.add(new TreeItem(element)));
        } else {
            items.add(new TreeItem(tree));
        }
        return items;
    }

    private List<Item> jsonLines(byte[] body) {
        List<Item> items = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= body.length; i++) {
            if (i == body.length || body[i] == '\n') {
                if (!isBlank(body, from, i)) {
                    items.add(line(body, from, i - from));
                }
                from = i + 1;
            }
        }
        return items;
    }

    private Item line(byte[] body, int offset, int length) {
        if (length > FrameJson.MAX_FRAME_BYTES) {
            return new Refused(RejectReason.TOO_LARGE);
        }
        try {
            return new TreeItem(FrameJson.tree(body, offset, length));
        } catch (JsonRefused e) {
            return new Refused(e.reason());
        }
    }

    private static boolean isBlank(byte[] body, int from, int until) {
        for (int i = from; i < until; i++) {
            if (!Character.isWhitespace(body[i])) {
                return false;
            }
        }
        return true;
    }

    /** One map, an array of maps or of binaries that hold one each, or several of all that in a row. */
    private List<Item> msgpack(byte[] body) throws JsonRefused {
        List<Item> items = new ArrayList<>();
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(body)) {
            while (unpacker.hasNext()) {
                int elements = unpacker.getNextFormat().getValueType().isArrayType() ? unpacker.unpackArrayHeader() : 1;
                for (int i = 0; i < elements; i++) {
                    items.add(value(unpacker, body));
                }
            }
        } catch (IOException | RuntimeException e) {
            // msgpack-core answers some malformed input with exceptions of the language.
            if (!items.isEmpty()) {
                // What came before is whole; where the next one would begin cannot be told.
                items.add(new Refused(RejectReason.TRUNCATED));
                return items;
            }
            throw new JsonRefused(RejectReason.TRUNCATED, "the body is no msgpack: it ends early or is malformed");
        }
        return items;
    }

    private Item value(MessageUnpacker unpacker, byte[] body) throws IOException {
        int from = (int) unpacker.getTotalReadBytes();
        if (unpacker.getNextFormat().getValueType().isBinaryType()) {
            int length = unpacker.unpackBinaryHeader();
            from = (int) unpacker.getTotalReadBytes();
            if (length > body.length - from) {
                throw new IOException("cut off");
            }
            unpacker.readPayload(length);
        } else {
            unpacker.skipValue();
        }
        return new PayloadItem(body, from, (int) unpacker.getTotalReadBytes() - from);
    }

    private final class TreeItem implements Item {
        private final JsonNode tree;
        private byte[] payload = NOTHING;
        private String refusedField = "";

        TreeItem(JsonNode tree) {
            this.tree = tree;
        }

        @Override
        public String pool() {
            return tree.path("pool").asText("");
        }

        @Override
        public @Nullable RejectReason read(FpmFrame into) {
            RejectReason reason = lines.read(tree, into);
            payload = lines.payload();
            refusedField = reason == null ? "" : lines.refusedField();
            if (reason == null) {
                into.publisherId(lines.publisherId());
            }
            return reason;
        }

        @Override
        public byte[] payload() {
            return payload;
        }

        @Override
        public String refusedField() {
            return refusedField;
        }
    }

    private final class PayloadItem implements Item {
        private final byte[] body;
        private final int offset;
        private final int length;

        PayloadItem(byte[] body, int offset, int length) {
            this.body = body;
            this.offset = offset;
            this.length = length;
        }

        @Override
        public String pool() {
            return "";
        }

        @Override
        public @Nullable RejectReason read(FpmFrame into) {
            return decoder.decode(body, offset, length, into);
        }

        @Override
        public byte[] payload() {
            return Arrays.copyOfRange(body, offset, offset + length);
        }

        @Override
        public String refusedField() {
            return decoder.refusedField();
        }
    }

    private record Refused(RejectReason reason) implements Item {
        @Override
        public String pool() {
            return "";
        }

        @Override
        public RejectReason read(FpmFrame into) {
            return reason;
        }

        @Override
        public byte[] payload() {
            return NOTHING;
        }

        @Override
        public String refusedField() {
            return "";
        }
    }
}
