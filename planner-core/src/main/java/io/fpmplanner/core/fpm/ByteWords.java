/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Short byte strings compared and hashed eight bytes at a time; one by one these would be the dearest part of a frame. */
final class ByteWords {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long FACTOR = 0x9e37_79b9_7f4a_7c15L;

    private ByteWords() {}

    /** Whether the first bytes of one array are those of another from an offset on. */
    static boolean same(byte[] known, byte[] bytes, int offset, int length) {
        if (length < Long.BYTES) {
            return sameFew(known, bytes, offset, length);
        }
        // Words overlap where the length is no multiple of theirs. Up to three need no branch on a length.
        int tail = length - Long.BYTES;
        int second = Math.min(Long.BYTES, tail);
        long difference = difference(known, 0, bytes, offset)
                | difference(known, second, bytes, offset)
                | difference(known, tail, bytes, offset);
        for (int i = 2 * Long.BYTES; i < tail; i += Long.BYTES) {
            difference |= difference(known, i, bytes, offset);
        }
        return difference == 0;
    }

    private static long difference(byte[] known, int at, byte[] bytes, int offset) {
        return (long) LONGS.get(known, at) ^ (long) LONGS.get(bytes, offset + at);
    }

    private static boolean sameFew(byte[] known, byte[] bytes, int offset, int length) {
        for (int i = 0; i < length; i++) {
            if (known[i] != bytes[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /** A hash of the first bytes. */
    static int hash(byte[] bytes, int length) {
        long hash = length;
        int whole = length & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            hash = (hash ^ (long) LONGS.get(bytes, i)) * FACTOR;
            hash ^= hash >>> 32;
        }
        for (int i = whole; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (int) (hash ^ hash >>> 32);
    }
}
