/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads msgpack values from a byte array without allocating. The first failure sticks; reads after it return 0. Not
 * threadsafe.
 */
public final class MsgpackCursor {
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int MAX_DEPTH = 32;

    private byte[] buffer = new byte[0];
    private int position;
    private int end;

    @Nullable
    private RejectReason failure;

    /** Values still to be skipped at each level of nesting. */
    private final long[] pending = new long[MAX_DEPTH];

    /** Begins to read {@code source[offset, offset + length)}, which must lie within the array; it is not copied. */
    public void reset(byte[] source, int offset, int length) {
        buffer = source;
        position = offset;
        end = offset + length;
        failure = null;
    }

    /** The first failure, null while there is none. */
    public @Nullable RejectReason failure() {
        return failure;
    }

    public boolean failed() {
        return failure != null;
    }

    void fail(RejectReason reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    public boolean atEnd() {
        return position == end;
    }

    public byte[] buffer() {
        return buffer;
    }

    public int position() {
        return position;
    }

    /** Steps over bytes that were found to be there. */
    public void advance(int bytes) {
        position += bytes;
    }

    /** Number of entries of the map that starts here; on anything else fails with the given reason. */
    public int mapHeader(RejectReason otherwise) {
        int type = unsigned8();
        long entries;
        if ((type & 0xf0) == 0x80) {
            entries = type & 0x0f;
        } else if (type == 0xde) {
            entries = unsigned16();
        } else if (type == 0xdf) {
            entries = unsigned32();
        } else {
            fail(otherwise);
            return 0;
        }
        return (int) fitting(2 * entries) / 2;
    }

    /** Number of items of the array that starts here; on anything else fails with the given reason. */
    public int arrayHeader(RejectReason otherwise) {
        int type = unsigned8();
        long items;
        if ((type & 0xf0) == 0x90) {
            items = type & 0x0f;
        } else if (type == 0xdc) {
            items = unsigned16();
        } else if (type == 0xdd) {
            items = unsigned32();
        } else {
            fail(otherwise);
            return 0;
        }
        return (int) fitting(items);
    }

    /** Steps over a nil; false, and nothing happens, if something else comes. */
    public boolean nil() {
        boolean nil = position < end && (buffer[position] & 0xff) == 0xc0;
        position += nil ? 1 : 0;
        return nil;
    }

    /** Whether a float comes. */
    public boolean atFloat() {
        int type = position < end ? buffer[position] & 0xff : 0;
        return type == 0xca || type == 0xcb;
    }

    /** Length of the string that starts here, whose bytes are then at {@link #position()}. */
    public int stringHeader() {
        int type = unsigned8();
        long length;
        if ((type & 0xe0) == 0xa0) {
            length = type & 0x1f;
        } else if (type == 0xd9) {
            length = unsigned8();
        } else if (type == 0xda) {
            length = unsigned16();
        } else if (type == 0xdb) {
            length = unsigned32();
        } else {
            fail(RejectReason.WRONG_TYPE);
            return 0;
        }
        return (int) fitting(length);
    }

    /** Length of the byte string (bin) that starts here, whose bytes are then at {@link #position()}. */
    public int binaryHeader() {
        int type = unsigned8();
        long length;
        if (type == 0xc4) {
            length = unsigned8();
        } else if (type == 0xc5) {
            length = unsigned16();
        } else if (type == 0xc6) {
            length = unsigned32();
        } else {
            fail(RejectReason.WRONG_TYPE);
            return 0;
        }
        return (int) fitting(length);
    }

    /** An integer from 0 to 2^63 - 1 in any of msgpack's forms. */
    public long count() {
        int type = unsigned8();
        if (type <= 0x7f) {
            return type;
        }
        if (type < 0xcc || (type > 0xd3 && type < 0xe0)) {
            fail(RejectReason.WRONG_TYPE);
            return 0;
        }
        long value = integer(type);
        if (value < 0) {
            fail(type == 0xcf ? RejectReason.TOO_LARGE : RejectReason.NEGATIVE);
            return 0;
        }
        return value;
    }

    /** A real number that is finite and not negative, as float32, float64 or any integer. */
    public double real() {
        int type = unsigned8();
        double value;
        if (type == 0xcb) {
            value = Double.longBitsToDouble(signed64());
        } else if (type == 0xca) {
            value = Float.intBitsToFloat(signed32());
        } else if (type <= 0x7f) {
            value = type;
        } else if ((type >= 0xcc && type <= 0xd3) || type >= 0xe0) {
            long integer = integer(type);
            value = type == 0xcf && integer < 0 ? (integer >>> 1) * 2.0 : (double) integer;
        } else {
            fail(RejectReason.WRONG_TYPE);
            return 0;
        }
        if (!Double.isFinite(value)) {
            fail(RejectReason.NOT_FINITE);
            return 0;
        }
        if (value < 0) {
            fail(RejectReason.NEGATIVE);
            return 0;
        }
        return value + 0.0; // -0.0 becomes 0.0
    }

    private long integer(int type) {
        return switch (type) {
            case 0xcc -> unsigned8();
            case 0xcd -> unsigned16();
            case 0xce -> unsigned32();
            case 0xcf, 0xd3 -> signed64();
            case 0xd0 -> (byte) unsigned8();
            case 0xd1 -> (short) unsigned16();
            case 0xd2 -> signed32();
            default -> (byte) type;
        };
    }

    /**
     * Skips one value of any type, however nested, by counting what is still to come at each level: no recursion. A
     * declared size that exceeds the bytes left fails at once, for each value takes a byte at least.
     */
    public void skip() {
        int depth = 0;
        pending[0] = 1;
        while (depth >= 0 && failure == null) {
            if (pending[depth] == 0) {
                depth--;
                continue;
            }
            pending[depth]--;
            long children = skipHead();
            if (children > 0) {
                if (++depth == MAX_DEPTH) {
                    fail(RejectReason.TOO_DEEP);
                    return;
                }
                pending[depth] = children;
            }
        }
    }

    /** Skips the head of a value and, of a scalar or string, its body. Returns the number of values inside it. */
    private long skipHead() {
        int type = unsigned8();
        if (type <= 0x7f || type >= 0xe0) {
            return 0;
        }
        if (type <= 0x8f) {
            return fitting(2L * (type & 0x0f));
        }
        if (type <= 0x9f) {
            return fitting(type & 0x0f);
        }
        if (type <= 0xbf) {
            return skipBody(type & 0x1f);
        }
        return switch (type) {
            case 0xc0, 0xc2, 0xc3 -> 0;
            case 0xc4, 0xd9 -> skipBody(unsigned8());
            case 0xc5, 0xda -> skipBody(unsigned16());
            case 0xc6, 0xdb -> skipBody(unsigned32());
            case 0xc7 -> skipBody(unsigned8() + 1L);
            case 0xc8 -> skipBody(unsigned16() + 1L);
            case 0xc9 -> skipBody(unsigned32() + 1L);
            case 0xcc, 0xd0 -> skipBody(1);
            case 0xcd, 0xd1 -> skipBody(2);
            case 0xca, 0xce, 0xd2 -> skipBody(4);
            case 0xcb, 0xcf, 0xd3 -> skipBody(8);
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> skipBody((1L << (type - 0xd4)) + 1);
            case 0xdc -> fitting(unsigned16());
            case 0xdd -> fitting(unsigned32());
            case 0xde -> fitting(2L * unsigned16());
            case 0xdf -> fitting(2 * unsigned32());
            default -> {
                fail(RejectReason.MALFORMED);
                yield 0;
            }
        };
    }

    private long skipBody(long bytes) {
        position += (int) fitting(bytes);
        return 0;
    }

    /** The given size if so many bytes are left, else a failure and 0. */
    private long fitting(long bytes) {
        if (bytes > end - position) {
            fail(RejectReason.TRUNCATED);
            return 0;
        }
        return bytes;
    }

    private boolean lacks(int bytes) {
        if (end - position < bytes) {
            fail(RejectReason.TRUNCATED);
            return true;
        }
        return false;
    }

    private int unsigned8() {
        if (lacks(1)) {
            return 0;
        }
        return buffer[position++] & 0xff;
    }

    private int unsigned16() {
        if (lacks(2)) {
            return 0;
        }
        int value = (short) SHORTS.get(buffer, position) & 0xffff;
        position += 2;
        return value;
    }

    private long unsigned32() {
        return signed32() & 0xffff_ffffL;
    }

    private int signed32() {
        if (lacks(4)) {
            return 0;
        }
        int value = (int) INTS.get(buffer, position);
        position += 4;
        return value;
    }

    private long signed64() {
        if (lacks(8)) {
            return 0;
        }
        long value = (long) LONGS.get(buffer, position);
        position += 8;
        return value;
    }
}
