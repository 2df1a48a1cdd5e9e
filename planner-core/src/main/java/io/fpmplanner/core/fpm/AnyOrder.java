/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads payloads whose keys stand in any order, as long as they are plain: known names of 7 to 31 bytes in the short form,
 * integers without sign, real numbers as float64, each map at most once. Of anything else, and of every payload that is to
 * be refused, it says no, and {@link FpmDecoder} reads it by name. Allocates nothing. Not threadsafe.
 */
final class AnyOrder {
    /*
     * Which key comes, of what kind its number is and how long: nobody can foretell that, and a wrong guess costs as much as
     * all the rest of a field. So all of it is looked up and worked out, and branches are left for what hardly ever happens
     * and for the four fields that hold more than a number.
     *
     * Bounds: a field is read in words, which may reach beyond it. What stands too near the end for that is read from a copy
     * with room behind it; a field that goes beyond the end is found out when it has been read.
     */
    private static final VarHandle NUMBERS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int FIXMAP = 0x80;
    private static final int MOST_ENTRIES = 15;

    /** A key, the byte of its value's type and the longest number, and the words of a key that is not there. */
    private static final int REACH = 48;

    private static final int NO = -1;

    private final byte[] tail = new byte[2 * REACH];
    private byte[] bytes = {};
    private int end;
    private FpmFrame frame = new FpmFrame();
    private long[] values = frame.numbers().values();
    private int said;

    /**
     * Reads a payload of this form.
     *
     * @param into the payload is overwritten; if the answer is no it means nothing
     * @return whether it is of this form; then it is accepted
     */
    boolean read(byte[] buffer, int offset, int length, FpmFrame into) {
        int entries = length == 0 ? 0 : (buffer[offset] & 0xff) ^ FIXMAP;
        if (entries == 0 || entries > MOST_ENTRIES) {
            return false;
        }
        into.clearPayload();
        frame = into;
        values = into.numbers().values();
        said = 0;
        bytes = buffer;
        end = offset + length;
        boolean read = readTop(offset + 1, entries) == end;
        into.numbers().said(said & FrameNumbers.ALL);
        return read;
    }

    private int readTop(int start, int entries) {
        int at = start;
        for (int left = entries; left > 0 && at != NO; left--) {
            at = withRoom(at);
            if (at == NO) {
                return NO;
            }
            int length = WireRows.keyLength(bytes[at]);
            int row = WireRows.find(bytes, at, length, WireRows.TOP);
            at = row == WireRows.UNKNOWN ? NO : readField(at + 1 + length, row);
        }
        return at;
    }

    private int readField(int at, int row) {
        int place = WireRows.place(row);
        if (WireRows.isNumber(row)) {
            return readNumber(at, row, place);
        }
        int mark = 1 << place;
        int type = bytes[at] & 0xff;
        return switch (place) {
            case WireRows.WORKER_ID -> frame.workerIdText().read(bytes, at, end, FpmDecoder.MAX_WORKER_ID_BYTES);
            case WireRows.TIMING_SCOPE ->
                frame.timingScopeText().read(bytes, at, end, FpmDecoder.MAX_TIMING_SCOPE_BYTES);
            default -> {
                boolean again = (said & mark) != 0;
                said |= mark;
                int inner = type ^ FIXMAP;
                yield again || inner > MOST_ENTRIES ? NO : readNumbers(at + 1, inner, WireRows.inside(place));
            }
        };
    }

    private int readNumber(int at, int row, int place) {
        int shape = WireRows.shape(bytes[at]);
        long value = (long) NUMBERS.get(bytes, at + WireRows.skip(shape)) >>> WireRows.shift(shape);
        if (!WireRows.fits(row, shape, value)) {
            return NO;
        }
        if (place < values.length) {
            values[place] = value;
            said |= 1 << place;
        } else if (place == WireRows.VERSION) {
            frame.version((int) value);
        } else {
            frame.dpRank((int) value);
        }
        return at + WireRows.size(shape);
    }

    /** A map of nothing but numbers. */
    private int readNumbers(int start, int entries, int map) {
        int at = start;
        byte[] source = bytes;
        int limit = end - REACH;
        long[] found = values;
        int seen = 0;
        for (int left = entries; left > 0; left--) {
            if (at > limit) {
                at = withRoom(at);
                if (at == NO) {
                    return NO;
                }
                source = bytes;
                limit = end;
            }
            int length = WireRows.keyLength(source[at]);
            int row = WireRows.find(source, at, length, map);
            at += length + 1;
            int shape = WireRows.shape(source[at]);
            long value = (long) NUMBERS.get(source, at + WireRows.skip(shape)) >>> WireRows.shift(shape);
            if (!WireRows.fits(row, shape, value)) {
                return NO;
            }
            int place = WireRows.place(row);
            found[place] = value;
            seen |= 1 << place;
            at += WireRows.size(shape);
        }
        said |= seen;
        return at;
    }

    /** Where to go on, from a copy if there is not so much to come that it can be read without a look at the end. */
    private int withRoom(int at) {
        if (at > end) {
            return NO;
        }
        if (end - at >= REACH || bytes == tail) {
            return at;
        }
        System.arraycopy(bytes, at, tail, 0, end - at);
        bytes = tail;
        end -= at;
        return 0;
    }
}
