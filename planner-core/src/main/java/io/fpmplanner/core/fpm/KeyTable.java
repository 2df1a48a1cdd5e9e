/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys of one msgpack map, found by bytes. Immutable. */
final class KeyTable {
    static final int ABSENT = -1;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int PLACES = 64;
    private static final int PLACE_SHIFT = Integer.SIZE - 6;
    private static final int FIRST_MULTIPLIER = 0x9e37_79b1;

    private final byte[] places = new byte[PLACES];
    private final int multiplier;
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
        multiplier = arrange();
    }

    /** Keys without kind and field, for a map whose reader goes by index. */
    KeyTable(String... keys) {
        names = new byte[keys.length][];
        kinds = new WireKind[0];
        fields = new int[0];
        for (int i = 0; i < keys.length; i++) {
            names[i] = keys[i].getBytes(StandardCharsets.US_ASCII);
        }
        multiplier = arrange();
    }

    /** Number of keys; indices are below it. */
    int size() {
        return names.length;
    }

    String name(int index) {
        return new String(names[index], StandardCharsets.US_ASCII);
    }

    WireKind kind(int index) {
        return kinds[index];
    }

    int field(int index) {
        return fields[index];
    }

    /** Index of the key at {@code buffer[offset, offset + length)}, or {@link #ABSENT}. */
    int find(byte[] buffer, int offset, int length) {
        int index = places[place(buffer, offset, length, multiplier)];
        return index != ABSENT && names[index].length == length && ByteWords.same(names[index], buffer, offset, length)
                ? index
                : ABSENT;
    }

    /** Gives each name a place of its own: tries multipliers until there is no collision. */
    private int arrange() {
        for (int candidate = FIRST_MULTIPLIER; ; candidate += 2) {
            Arrays.fill(places, (byte) ABSENT);
            boolean collides = false;
            for (int i = 0; i < names.length; i++) {
                int place = place(names[i], 0, names[i].length, candidate);
                collides |= places[place] != ABSENT;
                places[place] = (byte) i;
            }
            if (!collides) {
                return candidate;
            }
        }
    }

    /* Names of one length differ in their first or last four bytes. */
    private static int place(byte[] bytes, int offset, int length, int multiplier) {
        int ends = length;
        if (length >= Integer.BYTES) {
            int first = (int) INTS.get(bytes, offset);
            int last = (int) INTS.get(bytes, offset + length - Integer.BYTES);
            ends += first + Integer.rotateLeft(last, 13);
        }
        return (ends * multiplier) >>> PLACE_SHIFT;
    }
}
