/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.FrameView;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.http.JsonBody;
import java.io.IOException;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes a frame as JSON with the field names of the wire, e.g. {@code {"worker_id": "w", "wall_time": 0.02,
 * "scheduled_requests": {"num_decode_requests": 8}}}.
 *
 * <p>The fields of the two nested maps may also stand beside the others; see {@link FlatNames} for the names. A JSON string in
 * place of the object is taken for the base64 of a msgpack payload. Everything else is as on the wire: unknown fields are
 * skipped, missing ones take their defaults, of duplicates the last wins, integers do for real numbers but not the other way
 * round, null is refused. Nothing here throws on bad input. Not threadsafe.
 */
public final class FrameJson {
    /** Longer texts of one frame are refused; real ones have 500 to 700 bytes. */
    public static final int MAX_FRAME_BYTES = 64 * 1024;

    private static final int MAX_DEPTH = 40;

    /*
     * NaN is no JSON, but Python writes it: such a frame should be refused for what it is, not for its spelling.
     */
    private static final ObjectReader READER = new JsonMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build())
            .reader();

    /*
     * JSON is turned into the msgpack it stands for, and the one decoder judges it: two readers of the same fields would
     * come to differ.
     */
    private final MsgpackWriter msgpack = new MsgpackWriter();
    private final FpmDecoder decoder = new FpmDecoder();
    private byte[] payload = new byte[0];
    private boolean judged;

    /**
     * Reads one JSON object or base64 string in UTF-8; blanks around it do not matter.
     *
     * @param into its payload is overwritten, its arrival stamps are left alone; after a refusal its payload means nothing
     * @return null when accepted, else the reason of the refusal
     */
    public @Nullable RejectReason read(byte[] text, int offset, int length, FpmFrame into) {
        judged = false;
        if (length > MAX_FRAME_BYTES) {
            return RejectReason.TOO_LARGE;
        }
        try {
            return read(tree(text, offset, length), into);
        } catch (JsonRefused e) {
            return e.reason();
        }
    }

    /** As {@link #read(byte[], int, int, FpmFrame)}, of a value that was parsed already. */
    public @Nullable RejectReason read(JsonNode frame, FpmFrame into) {
        judged = false;
        if (frame.isTextual()) {
            return readBase64(frame.textValue(), into);
        }
        if (!(frame instanceof ObjectNode object)) {
            return RejectReason.NOT_A_MAP;
        }
        try {
            payload = msgpack.write(nested(object));
        } catch (JsonRefused e) {
            return e.reason();
        }
        return judge(into);
    }

    private @Nullable RejectReason judge(FpmFrame into) {
        judged = true;
        return decoder.decode(payload, 0, payload.length, into);
    }

    /** The field that the newest frame was refused for, such as {@code wall_time}; empty if it was no single one's fault. */
    public String refusedField() {
        return judged ? decoder.refusedField() : "";
    }

    /** Reads the base64, standard or for URLs, of a msgpack payload. */
    public @Nullable RejectReason readBase64(String text, FpmFrame into) {
        judged = false;
        try {
            payload = text.indexOf('-') >= 0 || text.indexOf('_') >= 0
                    ? Base64.getUrlDecoder().decode(text)
                    : Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return RejectReason.NOT_BASE64;
        }
        return judge(into);
    }

    /** The msgpack payload that the frame accepted last stands for; a new array for each frame. */
    public byte[] payload() {
        return payload;
    }

    /** A msgpack payload with these fields, for frames that were recorded without one. */
    public static byte[] payload(FrameView frame) {
        try {
            return new MsgpackWriter().write(of(frame));
        } catch (JsonRefused e) {
            throw new IllegalArgumentException(e); // longs fit
        }
    }

    /** Base64 of a msgpack payload, as {@link #readBase64} reads it. */
    public static String base64(byte[] payload) {
        return Base64.getEncoder().encodeToString(payload);
    }

    /** The payload in the nesting and order of the wire. */
    public static ObjectNode of(FrameView frame) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("version", frame.version())
                .put("worker_id", frame.workerId())
                .put("dp_rank", frame.dpRank())
                .put("counter_id", frame.counterId());
        if (!frame.timingScope().isEmpty()) {
            node.put("timing_scope", frame.timingScope());
        }
        node.put("wall_time", frame.wallTimeSeconds());
        FrameView.Scheduled scheduled = frame.scheduled();
        ObjectNode inner = node.putObject(FlatNames.SCHEDULED)
                .put("num_prefill_requests", scheduled.prefillRequests())
                .put("sum_prefill_tokens", scheduled.prefillTokens());
        scheduled.prefillLengthVariance().ifPresent(variance -> inner.put("var_prefill_length", variance));
        inner.put("sum_prefill_kv_tokens", scheduled.prefillKvTokens())
                .put("num_decode_requests", scheduled.decodeRequests())
                .put("sum_decode_kv_tokens", scheduled.decodeKvTokens());
        scheduled.decodeKvVariance().ifPresent(variance -> inner.put("var_decode_kv_tokens", variance));
        frame.prefixCached().ifPresent(cached -> prefixCached(inner, cached));
        queued(node.putObject(FlatNames.QUEUED), frame.queued());
        return node;
    }

    private static void prefixCached(ObjectNode node, FrameView.PrefixCached cached) {
        cached.prefillTokens().ifPresent(tokens -> node.put("sum_prefill_tokens_prefix_cached", tokens));
        cached.uncachedPrefillLengthVariance()
                .ifPresent(variance -> node.put("var_non_prefix_cached_prefill_length", variance));
        cached.decodeKvTokens().ifPresent(tokens -> node.put("sum_decode_kv_tokens_prefix_cached", tokens));
        cached.decodeKvVariance().ifPresent(variance -> node.put("var_decode_kv_tokens_prefix_cached", variance));
    }

    private static void queued(ObjectNode node, FrameView.Queued queued) {
        node.put("num_prefill_requests", queued.prefillRequests()).put("sum_prefill_tokens", queued.prefillTokens());
        queued.prefillLengthVariance().ifPresent(variance -> node.put("var_prefill_length", variance));
        node.put("num_decode_requests", queued.decodeRequests()).put("sum_decode_kv_tokens", queued.decodeKvTokens());
        queued.decodeKvVariance().ifPresent(variance -> node.put("var_decode_kv_tokens", variance));
    }

    /**
     * Parses exactly one JSON value; NaN and infinities are let through for the decoder to refuse.
     *
     * @throws JsonRefused if the bytes are no JSON, nest too deeply or hold more than one value
     */
    static JsonNode tree(byte[] text, int offset, int length) throws JsonRefused {
        Objects.checkFromIndexSize(offset, length, text.length);
        try (JsonParser parser = READER.createParser(text, offset, length)) {
            JsonNode tree = READER.readTree(parser);
            if (tree == null || tree.isMissingNode()) {
                throw new JsonRefused(RejectReason.NOT_JSON, "there is no value");
            }
            if (parser.nextToken() != null) {
                throw new JsonRefused(RejectReason.TRAILING_BYTES, "something follows the value");
            }
            return tree;
        } catch (StreamConstraintsException e) {
            boolean deep = String.valueOf(e.getMessage()).contains("nesting");
            throw new JsonRefused(deep ? RejectReason.TOO_DEEP : RejectReason.TOO_LARGE, e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            throw new JsonRefused(RejectReason.NOT_JSON, JsonBody.explain(e));
        } catch (IOException e) {
            throw new JsonRefused(RejectReason.NOT_JSON, String.valueOf(e.getMessage()));
        }
    }

    /** The object itself if nothing in it is flat, else a copy with everything in its place. */
    private static ObjectNode nested(ObjectNode frame) {
        ObjectNode copy = null;
        for (var fields = frame.properties().iterator(); fields.hasNext(); ) {
            var field = fields.next();
            FlatNames.Place place = FlatNames.place(field.getKey());
            if (place == null) {
                continue;
            }
            if (copy == null) {
                copy = frame.deepCopy();
            }
            copy.remove(field.getKey());
            JsonNode map = copy.get(place.map());
            if (map == null) {
                copy.putObject(place.map()).set(place.field(), field.getValue());
            } else if (map instanceof ObjectNode object) {
                object.set(place.field(), field.getValue());
            } // else the decoder refuses what stands in the map's place
        }
        return copy == null ? frame : copy;
    }
}
