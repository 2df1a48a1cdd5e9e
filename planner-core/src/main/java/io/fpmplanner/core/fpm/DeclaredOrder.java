/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads payloads that look just as msgspec writes the schema of version 1: all fields, in the declared order, sizes in
 * their shortest form, real numbers as float64. Of anything else, and of every payload that is to be refused, it says no,
 * and {@link FpmDecoder} reads it by name. Allocates nothing. Not threadsafe.
 */
final class DeclaredOrder {
    /*
     * What costs in a decoder by name is to find out which name it is. Here it is known what must come: a key is compared,
     * length byte included, with two or three words that the compiler knows (fields of records are constants to it), and
     * nothing is looked up. The price is that the order stands here a second time.
     *
     * Bounds: no field ends a payload but real numbers, so a payload that has not a key and 9 more bytes to go is not of
     * this form; one check a field keeps all reads of it inside. Only texts can reach further, and check for themselves.
     */
    private static final VarHandle NUMBERS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final byte SEVEN_ENTRIES = (byte) 0x87;
    private static final byte EIGHT_ENTRIES = (byte) 0x88;
    private static final byte SIX_ENTRIES = (byte) 0x86;
    private static final byte FLOAT64 = (byte) 0xcb;

    private static final Key VERSION = Key.of("version");
    private static final Key WORKER_ID = Key.of("worker_id");
    private static final Key DP_RANK = Key.of("dp_rank");
    private static final Key COUNTER_ID = Key.of("counter_id");
    private static final Key TIMING_SCOPE = Key.of("timing_scope");
    private static final Key WALL_TIME = Key.of("wall_time", FLOAT64);
    private static final Key SCHEDULED = Key.of("scheduled_requests", SEVEN_ENTRIES);
    private static final Key QUEUED = Key.of("queued_requests", SIX_ENTRIES);
    private static final Key PREFILL_REQUESTS = Key.of("num_prefill_requests");
    private static final Key PREFILL_TOKENS = Key.of("sum_prefill_tokens");
    private static final Key PREFILL_VARIANCE = Key.of("var_prefill_length", FLOAT64);
    private static final Key PREFILL_KV_TOKENS = Key.of("sum_prefill_kv_tokens");
    private static final Key DECODE_REQUESTS = Key.of("num_decode_requests");
    private static final Key DECODE_KV_TOKENS = Key.of("sum_decode_kv_tokens");
    private static final Key DECODE_VARIANCE = Key.of("var_decode_kv_tokens", FLOAT64);

    private static final byte UINT8 = (byte) 0xcc;
    private static final byte UINT64 = (byte) 0xcf;
    private static final int FIXSTR = 0xa0;
    private static final int NO = -1;
    private static final long INFINITY_BITS = 0x7ff0_0000_0000_0000L;

    private byte[] bytes = {};
    private int end;
    private FpmFrame frame = new FpmFrame();
    private FrameNumbers numbers = frame.numbers();

    /**
     * A key of 7 to 22 bytes with the byte of its length before it and, where that is settled, the byte after it that
     * tells the type of its value, as words: the first eight bytes, the next eight if there are more than sixteen, and the
     * last eight. The reach goes on to the end of the longest number.
     */
    private record Key(int length, int reach, long first, long second, long last) {
        static Key of(String name, byte... type) {
            byte[] text = name.getBytes(StandardCharsets.US_ASCII);
            byte[] key = new byte[1 + text.length + type.length];
            key[0] = (byte) (FIXSTR | text.length);
            System.arraycopy(text, 0, key, 1, text.length);
            System.arraycopy(type, 0, key, 1 + text.length, type.length);
            int length = key.length;
            return new Key(
                    length,
                    length + (type.length == 0 ? 1 : 0) + Long.BYTES,
                    (long) WORDS.get(key, 0),
                    length > 16 ? (long) WORDS.get(key, 8) : 0,
                    (long) WORDS.get(key, length - 8));
        }

        boolean isAt(byte[] bytes, int at) {
            long difference = (long) WORDS.get(bytes, at) ^ first;
            if (length > 16) {
                difference |= (long) WORDS.get(bytes, at + 8) ^ second;
            }
            if (length > 8) {
                difference |= (long) WORDS.get(bytes, at + length - 8) ^ last;
            }
            return difference == 0;
        }
    }

    /**
     * Reads a payload of this form.
     *
     * @param into the payload is overwritten; if the answer is no it means nothing
     * @return whether it is of this form; then it is accepted
     */
    boolean read(byte[] buffer, int offset, int length, FpmFrame into) {
        if (length == 0) {
            return false;
        }
        byte entries = buffer[offset];
        if (entries != SEVEN_ENTRIES && entries != EIGHT_ENTRIES) {
            return false;
        }
        bytes = buffer;
        end = offset + length;
        frame = into;
        numbers = into.numbers();
        numbers.declaredSaid();
        int at = readHead(offset + 1);
        at = entries == EIGHT_ENTRIES ? readTimingScope(at) : withoutTimingScope(at);
        at = real(at, WALL_TIME, FpmFields.WALL_TIME);
        return readQueued(readScheduled(at)) == end;
    }

    /* Each of these takes where it begins and gives where it ended, NO if it is not as expected; NO goes through. */

    private int readHead(int start) {
        int at = readVersion(start);
        at = text(at, WORKER_ID, frame.workerIdText(), FpmDecoder.MAX_WORKER_ID_BYTES);
        return count(readRank(at), COUNTER_ID, FpmFields.COUNTER_ID);
    }

    private int readVersion(int start) {
        int at = take(start, VERSION);
        if (at == NO || (bytes[at] & ~1) != 0) {
            return NO;
        }
        frame.version(bytes[at]);
        return at + 1;
    }

    private int readRank(int start) {
        int at = take(start, DP_RANK);
        if (at == NO || bytes[at] < 0) {
            return NO;
        }
        frame.dpRank(bytes[at]);
        return at + 1;
    }

    private int readTimingScope(int start) {
        return text(start, TIMING_SCOPE, frame.timingScopeText(), FpmDecoder.MAX_TIMING_SCOPE_BYTES);
    }

    private int withoutTimingScope(int start) {
        frame.timingScopeText().clear();
        return start;
    }

    private int readScheduled(int start) {
        int at = take(start, SCHEDULED);
        at = count(at, PREFILL_REQUESTS, FpmFields.SCHEDULED_PREFILL_REQUESTS);
        at = count(at, PREFILL_TOKENS, FpmFields.SCHEDULED_PREFILL_TOKENS);
        at = real(at, PREFILL_VARIANCE, FpmFields.SCHEDULED_PREFILL_LENGTH_VARIANCE);
        at = count(at, PREFILL_KV_TOKENS, FpmFields.SCHEDULED_PREFILL_KV_TOKENS);
        at = count(at, DECODE_REQUESTS, FpmFields.SCHEDULED_DECODE_REQUESTS);
        at = count(at, DECODE_KV_TOKENS, FpmFields.SCHEDULED_DECODE_KV_TOKENS);
        return real(at, DECODE_VARIANCE, FpmFields.SCHEDULED_DECODE_KV_VARIANCE);
    }

    private int readQueued(int start) {
        int at = take(start, QUEUED);
        at = count(at, PREFILL_REQUESTS, FpmFields.QUEUED_PREFILL_REQUESTS);
        at = count(at, PREFILL_TOKENS, FpmFields.QUEUED_PREFILL_TOKENS);
        at = real(at, PREFILL_VARIANCE, FpmFields.QUEUED_PREFILL_LENGTH_VARIANCE);
        at = count(at, DECODE_REQUESTS, FpmFields.QUEUED_DECODE_REQUESTS);
        at = count(at, DECODE_KV_TOKENS, FpmFields.QUEUED_DECODE_KV_TOKENS);
        return real(at, DECODE_VARIANCE, FpmFields.QUEUED_DECODE_KV_VARIANCE);
    }

    /** Steps over a key, if it is the one and all of its reach is there. */
    private int take(int start, Key key) {
        return start != NO && end - start >= key.reach && key.isAt(bytes, start) ? start + key.length : NO;
    }

    private int real(int start, Key key, int field) {
        int at = take(start, key);
        if (at == NO) {
            return NO;
        }
        long bits = (long) NUMBERS.get(bytes, at);
        numbers.declaredReal(field, bits);
        // Those of numbers below zero, even -0.0, are the greatest; before them come NaN and infinity.
        return Long.compareUnsigned(bits, INFINITY_BITS) < 0 ? at + Double.BYTES : NO;
    }

    /** An integer of 0 and above in one of the forms that have no sign. */
    private int count(int start, Key key, int field) {
        int at = take(start, key);
        if (at == NO) {
            return NO;
        }
        int type = bytes[at];
        if (type >= 0) {
            numbers.declaredCount(field, type);
            return at + 1;
        }
        return type >= UINT8 && type <= UINT64 ? longer(at + 1, 1 << (type - UINT8), field) : NO;
    }

    /** One of 1, 2, 4 or 8 bytes: the first of eight, which are there. */
    private int longer(int start, int size, int field) {
        long value = (long) NUMBERS.get(bytes, start) >>> (Long.SIZE - Byte.SIZE * size);
        numbers.declaredCount(field, value);
        return value >= 0 ? start + size : NO;
    }

    private int text(int start, Key key, FrameText into, int most) {
        int at = take(start, key);
        return at == NO ? NO : into.read(bytes, at, end, most);
    }
}
