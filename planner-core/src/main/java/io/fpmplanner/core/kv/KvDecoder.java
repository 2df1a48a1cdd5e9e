/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.kv;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.MsgpackCursor;
import io.fpmplanner.core.fpm.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes messages about KV cache and load: SGLang's KvMetrics as msgpack array or as pickle, its LoadStat as msgpack array,
 * Dynamo's ActiveLoad as msgpack map. Nothing here throws on bad bytes, and no class is ever looked up or made. Not
 * threadsafe.
 */
public final class KvDecoder {
    /** Longer messages are refused; real ones have 23 to 340 bytes. */
    public static final int MAX_BYTES = 16 * 1024;

    /** First part of a LoadStat message. */
    public static final String LOAD_TOPIC = "load";

    /*
     * Declaration order of the structs, which their array form keeps. Fields may be added at the end and are skipped then; one
     * that is nil or missing is not said.
     */
    static final List<String> KV_METRICS = List.of(
            "request_active_slots",
            "request_total_slots",
            "kv_active_blocks",
            "kv_total_blocks",
            "num_requests_waiting",
            "gpu_cache_usage_perc",
            "gpu_prefix_cache_hit_rate",
            "data_parallel_rank");
    private static final List<String> LOAD_STAT =
            List.of("num_running_reqs", "num_waiting_reqs", "num_tokens", "max_total_num_tokens", "attn_dp_rank");
    private static final List<String> ACTIVE_LOAD =
            List.of("worker_id", "dp_rank", "active_decode_blocks", "active_prefill_tokens", "kv_used_blocks");

    private static final int PICKLE_PROTOCOL_OPCODE = 0x80;
    private static final int FIRST_PICKLE_WITH_FRAMES = 2;
    private static final int LOAD_PARTS = 3;

    private final MsgpackCursor cursor = new MsgpackCursor();

    /** Decodes what SGLang's schedulers push: one part with a KvMetrics, either form told by its first bytes. */
    public KvDecoding decodePushed(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        try {
            if (length > MAX_BYTES) {
                throw new KvRefused(RejectReason.TOO_LARGE);
            }
            // 0x80 would be an empty map in msgpack, which is no report.
            if (length >= 2
                    && (buffer[offset] & 0xff) == PICKLE_PROTOCOL_OPCODE
                    && buffer[offset + 1] >= FIRST_PICKLE_WITH_FRAMES) {
                return new KvDecoding.Accepted(
                        new PickleReader(buffer, offset, length).read().kvMetrics());
            }
            return new KvDecoding.Accepted(array(buffer, offset, length));
        } catch (KvRefused e) {
            return new KvDecoding.Rejected(e.reason());
        }
    }

    /** Decodes a whole message of SGLang's load publisher: {@code ["load", sequence as 8 bytes big-endian, LoadStat]}. */
    public KvDecoding decodePublished(List<byte[]> parts) {
        if (parts.size() != LOAD_PARTS || !new String(parts.get(0), StandardCharsets.ISO_8859_1).equals(LOAD_TOPIC)) {
            return new KvDecoding.Rejected(RejectReason.BAD_MULTIPART);
        }
        if (FpmDecoder.sequence(parts.get(1)) < 0) {
            return new KvDecoding.Rejected(RejectReason.BAD_SEQUENCE);
        }
        byte[] payload = parts.get(2);
        return decodePushed(payload, 0, payload.length);
    }

    /** Decodes the payload of an event on Dynamo's topic {@code kv_metrics}. */
    public KvDecoding decodeActiveLoad(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        try {
            if (length > MAX_BYTES) {
                throw new KvRefused(RejectReason.TOO_LARGE);
            }
            cursor.reset(buffer, offset, length);
            Map<String, @Nullable Object> values = new HashMap<>();
            int entries = cursor.mapHeader(length == 0 ? RejectReason.TRUNCATED : RejectReason.NOT_A_MAP);
            for (int i = 0; i < entries && !cursor.failed(); i++) {
                String key = text();
                if (ACTIVE_LOAD.contains(key)) {
                    values.put(key, number());
                } else {
                    cursor.skip();
                }
            }
            checkEnd();
            return new KvDecoding.Accepted(new KvFields(values).activeLoad());
        } catch (KvRefused e) {
            return new KvDecoding.Rejected(e.reason());
        }
    }

    private KvReport array(byte[] buffer, int offset, int length) throws KvRefused {
        cursor.reset(buffer, offset, length);
        int items = cursor.arrayHeader(length == 0 ? RejectReason.TRUNCATED : RejectReason.NOT_KV);
        checkCursor();
        String tag = items == 0 ? "" : text();
        checkCursor();
        boolean metrics = tag.equals("KvMetrics");
        if (!metrics && !tag.equals("LoadStat")) {
            throw new KvRefused(RejectReason.NOT_KV);
        }
        List<String> names = metrics ? KV_METRICS : LOAD_STAT;
        Map<String, @Nullable Object> values = new HashMap<>();
        for (int i = 0; i < items - 1 && !cursor.failed(); i++) {
            if (i < names.size()) {
                values.put(names.get(i), number());
            } else {
                cursor.skip();
            }
        }
        checkEnd();
        KvFields fields = new KvFields(values);
        return metrics ? fields.kvMetrics() : fields.loadStat();
    }

    private String text() {
        int length = cursor.stringHeader();
        String text = new String(cursor.buffer(), cursor.position(), length, StandardCharsets.UTF_8);
        cursor.advance(length);
        return text;
    }

    private @Nullable Object number() {
        if (cursor.nil()) {
            return null;
        }
        return cursor.atFloat() ? (Object) cursor.real() : (Object) cursor.count();
    }

    private void checkEnd() throws KvRefused {
        checkCursor();
        if (!cursor.atEnd()) {
            throw new KvRefused(RejectReason.TRAILING_BYTES);
        }
    }

    private void checkCursor() throws KvRefused {
        RejectReason failure = cursor.failure();
        if (failure != null) {
            throw new KvRefused(failure);
        }
    }
}
