/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The keys of one msgpack map in the order in which producers write them, found by bytes. Immutable. */
final class KeyTable {
    static final int ABSENT = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[][] names;
    private final WireKind[] kinds;
    private final int[] fields;

    KeyTable(WireKey... keys) {
        names = new byte[keys.length][];
        kinds = new WireKind[keys.length];
        fields = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            names[i] = keys[i].name().getBytes(StandardCharsets.US_ASCII);
            kinds[i] = keys[i].kind();
            fields[i] = keys[i].field();
        }
    }

    /** Keys without kind and field, for a map whose reader goes by index. */
    KeyTable(String... keys) {
        names = new byte[keys.length][];
        kinds = new WireKind[0];
        fields = new int[0];
        for (int i = 0; i < keys.length; i++) {
            names[i] = keys[i].getBytes(StandardCharsets.US_ASCII);
        }
    }

    WireKind kind(int index) {
        return kinds[index];
    }

    int field(int index) {
        return fields[index];
    }

    /**
     * Index of the key at {@code buffer[offset, offset + length)}, or {@link #ABSENT}. The predicted index and its
     * successor are tried first: producers keep the declared order, and one of the keys is optional.
     */
    int find(byte[] buffer, int offset, int length, int predicted) {
        int last = Math.min(predicted + 2, names.length);
        for (int i = predicted; i < last; i++) {
            if (matches(names[i], buffer, offset, length)) {
                return i;
            }
        }
        for (int i = 0; i < names.length; i++) {
            if (matches(names[i], buffer, offset, length)) {
                return i;
            }
        }
        return ABSENT;
    }

    /* Eight bytes at a time with an overlapping tail: a third of the cost of Arrays.equals at these lengths. */
    private static boolean matches(byte[] name, byte[] buffer, int offset, int length) {
        if (name.length != length) {
            return false;
        }
        if (length < Long.BYTES) {
            for (int i = 0; i < length; i++) {
                if (name[i] != buffer[offset + i]) {
                    return false;
                }
            }
            return true;
        }
        int tail = length - Long.BYTES;
        for (int i = 0; i < tail; i += Long.BYTES) {
            if ((long) LONGS.get(name, i) != (long) LONGS.get(buffer, offset + i)) {
                return false;
            }
        }
        return (long) LONGS.get(name, tail) == (long) LONGS.get(buffer, offset + tail);
    }
}
