/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the envelopes of Dynamo's event plane: bare as in a NATS message, length-prefixed as in the last part of a
 * ZeroMQ message, and whole ZeroMQ messages of the direct and the broker form.
 *
 * <p>The envelope is a msgpack map found by name in any order ({@code publisher_id}, {@code sequence}, {@code topic} and
 * {@code payload} as bin must be there, {@code published_at} may, others are skipped, of duplicates the last wins). Its
 * publishers never write the positional form, so it is refused. Nothing here throws on bad bytes. Allocates nothing per
 * event. Not threadsafe.
 */
public final class EventEnvelopeDecoder {
    /** Longer envelopes are refused. */
    public static final int MAX_ENVELOPE_BYTES = FpmDecoder.MAX_PAYLOAD_BYTES + 4096;

    /** Bytes before the envelope in a ZeroMQ message: a version and the length. */
    public static final int PREFIX_BYTES = 5;

    private static final int MAX_TOPIC_BYTES = 256;
    private static final int PREFIX_VERSION = 1;
    private static final int PARTS = 4;

    /*
     * Source: Dynamo's EventEnvelope, written with rmp_serde's to_vec_named; declaration order differs between versions.
     * The newest one first, so that it is predicted.
     */
    private static final int PUBLISHER_ID = 0;
    private static final int SEQUENCE = 1;
    private static final int PUBLISHED_AT = 2;
    private static final int TOPIC = 3;
    private static final int PAYLOAD = 4;
    private static final KeyTable KEYS = new KeyTable("publisher_id", "sequence", "published_at", "topic", "payload");
    private static final int NEEDED = 1 << PUBLISHER_ID | 1 << SEQUENCE | 1 << TOPIC | 1 << PAYLOAD;

    private final MsgpackCursor cursor = new MsgpackCursor();
    private int seen;

    /**
     * Decodes a bare envelope.
     *
     * @param buffer holds the envelope; kept by {@code into} until its next use
     * @param into overwritten; means nothing after a refusal
     * @return {@code null} when accepted, whatever its topic, else the reason of the refusal
     * @throws IndexOutOfBoundsException if the range lies outside the buffer, which is the caller's error
     */
    public @Nullable RejectReason decode(byte[] buffer, int offset, int length, EventEnvelope into) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        into.clear(buffer);
        if (length > MAX_ENVELOPE_BYTES) {
            return RejectReason.TOO_LARGE;
        }
        cursor.reset(buffer, offset, length);
        seen = 0;
        readEntries(cursor.mapHeader(length == 0 ? RejectReason.TRUNCATED : RejectReason.NOT_A_MAP), into);
        if (!cursor.failed() && (seen & NEEDED) != NEEDED) {
            cursor.fail(RejectReason.BAD_ENVELOPE);
        }
        if (!cursor.failed() && !cursor.atEnd()) {
            cursor.fail(RejectReason.TRAILING_BYTES);
        }
        return cursor.failure();
    }

    /**
     * Decodes an envelope behind its prefix {@code [1, length as 4 bytes big-endian]}.
     *
     * @return {@code null} when accepted, whatever its topic, else the reason of the refusal
     */
    public @Nullable RejectReason decodePrefixed(byte[] buffer, int offset, int length, EventEnvelope into) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length < PREFIX_BYTES) {
            return RejectReason.TRUNCATED;
        }
        if (buffer[offset] != PREFIX_VERSION) {
            return RejectReason.UNSUPPORTED_VERSION;
        }
        long declared = 0;
        for (int i = 1; i < PREFIX_BYTES; i++) {
            declared = declared << 8 | (buffer[offset + i] & 0xff);
        }
        int present = length - PREFIX_BYTES;
        if (declared != present) {
            return declared > present ? RejectReason.TRUNCATED : RejectReason.TRAILING_BYTES;
        }
        return decode(buffer, offset + PREFIX_BYTES, present, into);
    }

    /**
     * Decodes a whole ZeroMQ message {@code [topic or subject, publisher id as 8 bytes big-endian, sequence as 8 bytes
     * big-endian, prefixed envelope]}. The first part is for subscriptions and is not looked at: directly it is the topic,
     * through a broker the whole subject. The two numbers must be those of the envelope.
     *
     * @return {@code null} when accepted, whatever its topic, else the reason of the refusal
     */
    public @Nullable RejectReason decodeMultipart(List<byte[]> parts, EventEnvelope into) {
        return parts.size() == PARTS
                ? decodeMultipart(parts.get(1), parts.get(2), parts.get(3), into)
                : RejectReason.BAD_MULTIPART;
    }

    /** As {@link #decodeMultipart(List, EventEnvelope)} for the last three of parts that are known to be four. */
    public @Nullable RejectReason decodeMultipart(
            byte[] publisherPart, byte[] sequencePart, byte[] prefixed, EventEnvelope into) {
        if (publisherPart.length != Long.BYTES) {
            return RejectReason.BAD_MULTIPART;
        }
        long sequence = FpmDecoder.sequence(sequencePart);
        if (sequence < 0) {
            return RejectReason.BAD_SEQUENCE;
        }
        RejectReason reason = decodePrefixed(prefixed, 0, prefixed.length, into);
        if (reason == null
                && (into.publisherId() != FpmDecoder.sequence(publisherPart) || into.sequence() != sequence)) {
            return RejectReason.BAD_ENVELOPE;
        }
        return reason;
    }

    private void readEntries(int entries, EventEnvelope into) {
        for (int i = 0; i < entries && !cursor.failed(); i++) {
            int keyLength = cursor.stringHeader();
            int key = KEYS.find(cursor.buffer(), cursor.position(), keyLength);
            cursor.advance(keyLength);
            if (cursor.failed()) {
                return;
            }
            if (key == KeyTable.ABSENT) {
                cursor.skip();
            } else {
                seen |= 1 << key;
                readField(key, into);
            }
        }
    }

    private void readField(int key, EventEnvelope into) {
        switch (key) {
            case PUBLISHER_ID -> into.publisherId(cursor.count());
            case SEQUENCE -> into.sequence(cursor.count());
            case PUBLISHED_AT -> into.publishedAtMillis(cursor.count());
            case TOPIC -> {
                int length = cursor.stringHeader();
                if (length > MAX_TOPIC_BYTES) {
                    cursor.fail(RejectReason.TOO_LARGE);
                    return;
                }
                into.topic(cursor.position(), length);
                cursor.advance(length);
            }
            default -> {
                int length = cursor.binaryHeader();
                into.payload(cursor.position(), length);
                cursor.advance(length);
            }
        }
    }
}
