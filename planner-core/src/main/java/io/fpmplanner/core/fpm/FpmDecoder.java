/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes ForwardPassMetrics payloads of every dialect in the field: version 0, version 1 and version 1 with {@code
 * timing_scope}, from vLLM, SGLang, TensorRT-LLM through Dynamo, and forks that add fields of their own.
 *
 * <p>Fields are found by name in any order, unknown ones are skipped, missing ones take their defaults ({@code
 * version} 1, everything else empty or 0), of duplicates the last wins. Integers are accepted where real numbers
 * belong, but no float in an integer field, as msgspec has it. Nothing here throws on bad bytes: every refusal is a
 * {@link RejectReason}. Allocates nothing per frame. Not threadsafe.
 */
public final class FpmDecoder {
    /** Longer payloads are refused; real ones have 380 to 460 bytes. */
    public static final int MAX_PAYLOAD_BYTES = 64 * 1024;

    /** Longer worker ids are refused. */
    public static final int MAX_WORKER_ID_BYTES = 1024;

    static final int MAX_TIMING_SCOPE_BYTES = 128;
    private static final int MULTIPART_PARTS = 3;

    private final DeclaredOrder declaredOrder = new DeclaredOrder();
    private final AnyOrder anyOrder = new AnyOrder();
    private final MsgpackCursor cursor = new MsgpackCursor();
    private final int maxPayloadBytes;
    private final FieldPath path = new FieldPath();
    private int knownFields;
    private boolean versionKnown;

    /** Accepts payloads up to {@value #MAX_PAYLOAD_BYTES} bytes. */
    public FpmDecoder() {
        this(MAX_PAYLOAD_BYTES);
    }

    /** Accepts payloads up to that many bytes, and never more than {@value #MAX_PAYLOAD_BYTES}. */
    public FpmDecoder(int maxPayloadBytes) {
        this.maxPayloadBytes = Math.min(maxPayloadBytes, MAX_PAYLOAD_BYTES);
    }

    /**
     * Decodes one payload.
     *
     * @param buffer holds the payload; not kept
     * @param into its payload is overwritten, its arrival stamps are left alone; after a refusal its payload means
     *     nothing
     * @return {@code null} when accepted, else the reason of the refusal
     * @throws IndexOutOfBoundsException if the range lies outside the buffer, which is the caller's error
     */
    public @Nullable RejectReason decode(byte[] buffer, int offset, int length, FpmFrame into) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > maxPayloadBytes) {
            into.clearPayload();
            path.clear();
            cursor.reset(buffer, offset, 0);
            return RejectReason.TOO_LARGE;
        }
        return declaredOrder.read(buffer, offset, length, into) || anyOrder.read(buffer, offset, length, into)
                ? null
                : decodeByName(buffer, offset, length, into);
    }

    /** As {@link #decode} of a payload that is not too large, whatever its form. */
    @Nullable
    RejectReason decodeByName(byte[] buffer, int offset, int length, FpmFrame into) {
        into.clearPayload();
        cursor.reset(buffer, offset, length);
        path.clear();
        knownFields = 0;
        versionKnown = true;
        readEntries(cursor.mapHeader(length == 0 ? RejectReason.TRUNCATED : RejectReason.NOT_A_MAP), into);
        return verdict();
    }

    /**
     * Decodes a whole ZeroMQ message {@code [empty topic, sequence as 8 bytes big-endian, payload]} and stamps the
     * frame with the sequence.
     *
     * @return {@code null} when accepted, else the reason of the refusal
     */
    public @Nullable RejectReason decodeMultipart(List<byte[]> parts, FpmFrame into) {
        return parts.size() == MULTIPART_PARTS
                ? decodeMultipart(parts.get(0), parts.get(1), parts.get(2), into)
                : RejectReason.BAD_MULTIPART;
    }

    /** As {@link #decodeMultipart(List, FpmFrame)} for a message of which three parts are known to be all. */
    public @Nullable RejectReason decodeMultipart(byte[] topic, byte[] sequencePart, byte[] payload, FpmFrame into) {
        if (topic.length != 0) {
            return RejectReason.BAD_MULTIPART;
        }
        long sequence = sequence(sequencePart);
        if (sequence < 0) {
            return RejectReason.BAD_SEQUENCE;
        }
        into.sequence(sequence);
        return decode(payload, 0, payload.length, into);
    }

    /**
     * The field whose value the newest payload was refused for, such as {@code scheduled_requests.sum_prefill_tokens}; empty if
     * it was no single one's fault. Only between a refusal and the next payload, whose buffer must be as it was; allocates.
     */
    public String refusedField() {
        return cursor.failure() == RejectReason.UNSUPPORTED_VERSION ? "version" : path.text(cursor.buffer());
    }

    /** The number in a sequence part, or {@link FpmFrame#NO_SEQUENCE} if it is not 8 bytes or is 2^63 and above. */
    public static long sequence(byte[] part) {
        if (part.length != Long.BYTES) {
            return FpmFrame.NO_SEQUENCE;
        }
        long value = 0;
        for (byte b : part) {
            value = value << 8 | (b & 0xff);
        }
        return value < 0 ? FpmFrame.NO_SEQUENCE : value;
    }

    private @Nullable RejectReason verdict() {
        if (!cursor.failed()) {
            path.clear();
            if (knownFields == 0) {
                cursor.fail(RejectReason.NOT_FPM);
            } else if (!cursor.atEnd()) {
                cursor.fail(RejectReason.TRAILING_BYTES);
            } else if (!versionKnown) {
                cursor.fail(RejectReason.UNSUPPORTED_VERSION);
            }
        }
        return cursor.failure();
    }

    private void readEntries(int entries, FpmFrame into) {
        for (int i = 0; i < entries && !cursor.failed(); i++) {
            int key = readKey(FpmFields.TOP);
            if (key != KeyTable.ABSENT) {
                readField(key, into);
            }
        }
    }

    /** The key that comes; {@link KeyTable#ABSENT} if it is unknown, and its value is skipped then, or if it is no key. */
    private int readKey(KeyTable keys) {
        int length = cursor.stringHeader();
        if (cursor.failed()) {
            path.clear();
            return KeyTable.ABSENT;
        }
        path.key(keys == FpmFields.TOP, cursor.position(), length);
        int key = keys.find(cursor.buffer(), cursor.position(), length);
        cursor.advance(length);
        if (key == KeyTable.ABSENT) {
            cursor.skip();
        } else {
            knownFields++;
        }
        return key;
    }

    private void readField(int key, FpmFrame into) {
        switch (FpmFields.TOP.kind(key)) {
            case COUNT -> into.numbers().count(FpmFields.TOP.field(key), cursor.count());
            case REAL -> into.numbers().real(FpmFields.TOP.field(key), cursor.real());
            case VERSION -> readVersion(into);
            case DP_RANK -> into.dpRank(readRank());
            case WORKER_ID -> {
                int length = readText(MAX_WORKER_ID_BYTES);
                into.workerId(cursor.buffer(), cursor.position(), length);
                cursor.advance(length);
            }
            case TIMING_SCOPE -> {
                int length = readText(MAX_TIMING_SCOPE_BYTES);
                into.timingScope(cursor.buffer(), cursor.position(), length);
                cursor.advance(length);
            }
            case SCHEDULED -> {
                into.numbers().clearScheduled();
                readNumbers(FpmFields.SCHEDULED, into.numbers());
                adoptPrefixCached(into.numbers());
            }
            case QUEUED -> {
                into.numbers().clearQueued();
                readNumbers(FpmFields.QUEUED, into.numbers());
            }
        }
    }

    /** A map of nothing but numbers: apart from the other one, so that all of it is compiled into one loop. */
    private void readNumbers(KeyTable keys, FrameNumbers numbers) {
        int entries = cursor.mapHeader(RejectReason.WRONG_TYPE);
        for (int i = 0; i < entries && !cursor.failed(); i++) {
            int key = readKey(keys);
            if (key == KeyTable.ABSENT) {
                continue;
            }
            if (keys.kind(key) == WireKind.COUNT) {
                numbers.count(keys.field(key), cursor.count());
            } else {
                numbers.real(keys.field(key), cursor.real());
            }
        }
    }

    /*
     * Where only the prefix-cached tokens are given they are all that is known of the cache; where both are, the KV tokens
     * hold them and the earlier chunks too.
     */
    private static void adoptPrefixCached(FrameNumbers numbers) {
        long cached = numbers.count(FpmFields.PREFIX_CACHED_PREFILL_TOKENS);
        if (cached > numbers.count(FpmFields.SCHEDULED_PREFILL_KV_TOKENS)) {
            numbers.count(FpmFields.SCHEDULED_PREFILL_KV_TOKENS, cached);
        }
    }

    private void readVersion(FpmFrame into) {
        long version = cursor.count();
        versionKnown = version <= 1;
        into.version((int) Math.min(version, Integer.MAX_VALUE));
    }

    private int readRank() {
        long rank = cursor.count();
        if (rank > Integer.MAX_VALUE) {
            cursor.fail(RejectReason.TOO_LARGE);
            return 0;
        }
        return (int) rank;
    }

    private int readText(int cap) {
        int length = cursor.stringHeader();
        if (length > cap) {
            cursor.fail(RejectReason.TOO_LARGE);
            return 0;
        }
        return length;
    }
}
