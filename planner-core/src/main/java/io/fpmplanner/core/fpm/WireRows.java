/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What {@link AnyOrder} must know of keys and of types of values, in arrays that are constants to the compiler, so that a
 * look-up needs neither a branch nor a check. Immutable.
 */
final class WireRows {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int FIXSTR = 0xa0;
    private static final int LONGEST_KEY = 31;
    /** Shorter ones are not found; with the byte of the length before it such a key is a word. */
    private static final int SHORTEST_KEY = Long.BYTES - 1;

    /* A row a key: its words, what its value must stay below, its place and the form of its value. */
    private static final int ROW = 8;
    private static final int FIRST = 0;
    private static final int MIDDLE = 1;
    private static final int MIDDLE_MASK = 2;
    private static final int LAST = 3;
    private static final int LIMIT = 4;
    private static final int META = 5;
    private static final int ROWS = 32;
    static final int UNKNOWN = (ROWS - 1) * ROW;
    private static final long[] KEYS = new long[ROWS * ROW];

    private static final int PLACES = 64;
    private static final int HASH_SHIFT = Long.SIZE - 6;
    static final int TOP = 0;
    private static final int SCHEDULED = PLACES;
    private static final int QUEUED = 2 * PLACES;
    private static final int[] ROW_AT = new int[4 * PLACES];
    private static final long MULTIPLIER;

    /* Places of what is not a number of a frame. */
    static final int VERSION = 24;
    static final int DP_RANK = 25;
    static final int WORKER_ID = 26;
    static final int TIMING_SCOPE = 27;
    static final int SCHEDULED_MAP = 28;
    static final int QUEUED_MAP = 29;
    private static final int PLACE = 31;

    /* A word a type: bytes of the value with its type, whether the type is not part of the value, form, bits to shift out. */
    private static final int SIZE = 0xf;
    private static final int SKIP_SHIFT = 4;
    private static final int INTEGER = 1 << 8;
    private static final int REAL = 2 << 8;
    private static final int FORM = 3 << 8;
    private static final int SHIFT_SHIFT = 24;
    private static final int[] SHAPES = new int[256];

    private static final long INFINITY_BITS = 0x7ff0_0000_0000_0000L;

    static {
        for (int type = 0; type < 0x80; type++) {
            SHAPES[type] = 1 | INTEGER | (Long.SIZE - Byte.SIZE) << SHIFT_SHIFT;
        }
        for (int power = 0; power <= 3; power++) {
            int bytes = 1 << power;
            SHAPES[0xcc + power] =
                    1 + bytes | 1 << SKIP_SHIFT | INTEGER | (Long.SIZE - Byte.SIZE * bytes) << SHIFT_SHIFT;
        }
        SHAPES[0xcb] = 1 + Double.BYTES | 1 << SKIP_SHIFT | REAL;
        int[] starts = new int[4];
        starts[1] = fill(starts[0], FpmFields.TOP);
        starts[2] = fill(starts[1], FpmFields.SCHEDULED);
        starts[3] = fill(starts[2], FpmFields.QUEUED);
        KEYS[UNKNOWN + META] = FORM;
        MULTIPLIER = arrange(starts);
    }

    private WireRows() {}

    private static int fill(int row, KeyTable keys) {
        int next = row;
        for (int i = 0; i < keys.size(); i++) {
            String name = keys.name(i);
            if (name.length() > LONGEST_KEY) {
                continue;
            }
            byte[] key = ((char) (FIXSTR | name.length()) + name).getBytes(StandardCharsets.ISO_8859_1);
            int at = next * ROW;
            KEYS[at + FIRST] = (long) WORDS.get(key, 0);
            KEYS[at + LAST] = (long) WORDS.get(key, key.length - Long.BYTES);
            boolean middle = key.length > 2 * Long.BYTES;
            KEYS[at + MIDDLE] = middle ? (long) WORDS.get(key, Long.BYTES) : 0;
            KEYS[at + MIDDLE_MASK] = middle ? -1 : 0;
            KEYS[at + LIMIT] = limit(keys.kind(i)) + Long.MIN_VALUE;
            KEYS[at + META] = form(keys.kind(i)) | place(keys.kind(i), keys.field(i));
            next++;
        }
        return next;
    }

    private static int form(WireKind kind) {
        return switch (kind) {
            case REAL -> REAL;
            case COUNT, VERSION, DP_RANK -> INTEGER;
            default -> 0;
        };
    }

    private static long limit(WireKind kind) {
        return switch (kind) {
            case REAL -> INFINITY_BITS;
            case VERSION -> 2;
            case DP_RANK -> 1L << 31;
            default -> Long.MIN_VALUE;
        };
    }

    private static int place(WireKind kind, int field) {
        return switch (kind) {
            case COUNT -> field;
            case REAL -> FrameNumbers.FIRST_REAL + field;
            case VERSION -> VERSION;
            case DP_RANK -> DP_RANK;
            case WORKER_ID -> WORKER_ID;
            case TIMING_SCOPE -> TIMING_SCOPE;
            case SCHEDULED -> SCHEDULED_MAP;
            case QUEUED -> QUEUED_MAP;
        };
    }

    private static long arrange(int[] starts) {
        for (long candidate = 0x9e37_79b9_7f4a_7c15L; ; candidate += 2) {
            Arrays.fill(ROW_AT, UNKNOWN);
            boolean collides = false;
            for (int map = 0; map < starts.length - 1; map++) {
                for (int row = starts[map] * ROW; row < starts[map + 1] * ROW; row += ROW) {
                    int place = map * PLACES + hash(KEYS[row + FIRST], KEYS[row + LAST], candidate);
                    collides |= ROW_AT[place] != UNKNOWN;
                    ROW_AT[place] = row;
                }
            }
            if (!collides) {
                return candidate;
            }
        }
    }

    private static int hash(long first, long last, long multiplier) {
        return (int) (((first + Long.rotateLeft(last, 21)) * multiplier) >>> HASH_SHIFT);
    }

    /** The map whose keys stand inside the value of one of the two fields that are maps. */
    static int inside(int place) {
        return place == SCHEDULED_MAP ? SCHEDULED : QUEUED;
    }

    /** Length of the key whose first byte this is, 0 to 31; of anything but a short string any number. */
    static int keyLength(byte header) {
        return header & LONGEST_KEY;
    }

    /**
     * The row of the key that begins with its header at that byte, {@link #UNKNOWN} if the map has no such key. Up to 32
     * bytes from there on must be readable.
     */
    static int find(byte[] bytes, int at, int length, int map) {
        if (length < SHORTEST_KEY) {
            return UNKNOWN;
        }
        long first = (long) WORDS.get(bytes, at);
        long last = (long) WORDS.get(bytes, at + length - SHORTEST_KEY);
        int row = ROW_AT[map + hash(first, last, MULTIPLIER)] & UNKNOWN;
        long difference = (first ^ KEYS[row + FIRST])
                | (last ^ KEYS[row + LAST])
                | (((long) WORDS.get(bytes, at + Long.BYTES) ^ KEYS[row + MIDDLE]) & KEYS[row + MIDDLE_MASK]);
        return difference == 0 ? row : UNKNOWN;
    }

    /** Where the value of the key belongs: a place of {@link FrameNumbers} or one of the constants above. */
    static int place(int row) {
        return (int) KEYS[row + META] & PLACE;
    }

    /** Whether the key's value is a number; also of {@link #UNKNOWN}. */
    static boolean isNumber(int row) {
        return ((int) KEYS[row + META] & FORM) != 0;
    }

    /** What follows from the first byte of a value; of one that is not a plain number, something that fits nowhere. */
    static int shape(byte type) {
        return SHAPES[type & 0xff];
    }

    /** Bytes of such a value, the first one included. */
    static int size(int shape) {
        return shape & SIZE;
    }

    /** Bytes before the first one that is part of the number. */
    static int skip(int shape) {
        return shape >>> SKIP_SHIFT & 1;
    }

    /** Bits of eight bytes from there on that are not. */
    static int shift(int shape) {
        return shape >>> SHIFT_SHIFT;
    }

    /** Whether the number is of the form that the key asks for, and in its range. */
    static boolean fits(int row, int shape, long value) {
        return (((int) KEYS[row + META] ^ shape) & FORM) == 0 && value + Long.MIN_VALUE < KEYS[row + LIMIT];
    }
}
