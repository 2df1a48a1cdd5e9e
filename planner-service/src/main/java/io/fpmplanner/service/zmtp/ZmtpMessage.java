/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.zmtp;

import java.util.Arrays;

/**
 * One message with its parts, in the buffer that it was received into. Reused: valid only during the call that hands it
 * over. Not threadsafe.
 */
public final class ZmtpMessage {
    /** No message has more parts. */
    public static final int MAX_PARTS = 64;

    private final int[] offsets = new int[MAX_PARTS];
    private final int[] lengths = new int[MAX_PARTS];
    private byte[] buffer = {};
    private int parts;

    void clear(byte[] source) {
        buffer = source;
        parts = 0;
    }

    void add(int offset, int length) {
        offsets[parts] = offset;
        lengths[parts] = length;
        parts++;
    }

    /** Parts it has, at least 1. */
    public int parts() {
        return parts;
    }

    /** Holds all parts, and other bytes. */
    public byte[] buffer() {
        return buffer;
    }

    /** Where a part begins in the buffer. */
    public int offset(int part) {
        return offsets[part];
    }

    /** Bytes of a part. */
    public int length(int part) {
        return lengths[part];
    }

    /** A copy of a part. */
    public byte[] copy(int part) {
        return Arrays.copyOfRange(buffer, offsets[part], offsets[part] + lengths[part]);
    }

    /** A part as a big-endian number of 8 bytes; -1 if it has another length or is 2^63 or above. */
    public long number(int part) {
        if (lengths[part] != Long.BYTES) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (buffer[offsets[part] + i] & 0xff);
        }
        return value < 0 ? -1 : value;
    }

    /** Whether a part ends with these bytes. */
    public boolean endsWith(int part, byte[] suffix) {
        int end = offsets[part] + lengths[part];
        return lengths[part] >= suffix.length
                && Arrays.equals(buffer, end - suffix.length, end, suffix, 0, suffix.length);
    }
}
