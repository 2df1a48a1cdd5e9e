/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A short byte string that is overwritten once per frame and rarely changes: its {@link String} is made on first use
 * and kept while the bytes stay the same. Not threadsafe.
 */
final class FrameText {
    private byte[] bytes = new byte[32];
    private int length;
    private int hash = 1;

    @Nullable
    private String text = "";

    void set(byte[] source, int offset, int count) {
        if (Arrays.equals(bytes, 0, length, source, offset, offset + count)) {
            return;
        }
        if (bytes.length < count) {
            bytes = new byte[Math.max(count, 2 * bytes.length)];
        }
        System.arraycopy(source, offset, bytes, 0, count);
        length = count;
        hash = hashOf(bytes, count);
        text = null;
    }

    void set(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        set(encoded, 0, encoded.length);
        text = value;
    }

    void set(FrameText other) {
        set(other.bytes, 0, other.length);
        if (text == null) {
            text = other.text;
        }
    }

    boolean isEmpty() {
        return length == 0;
    }

    int length() {
        return length;
    }

    int contentHash() {
        return hash;
    }

    boolean sameBytes(FrameText other) {
        return hash == other.hash && Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
    }

    /** The bytes as UTF-8, ill-formed parts replaced by U+FFFD. Two different byte strings may look the same. */
    @Override
    public String toString() {
        String known = text;
        if (known == null) {
            known = new String(bytes, 0, length, StandardCharsets.UTF_8);
            text = known;
        }
        return known;
    }

    private static int hashOf(byte[] bytes, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }
}
