/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A short byte string that is overwritten once per frame and rarely changes: its {@link String} is made on first use
 * and kept while the bytes stay the same. Not threadsafe.
 */
final class FrameText {
    /* Many frames are held, in ranks and in slots of hand-offs, and a rank hardly ever changes its texts: no room to spare. */
    private static final byte[] NOTHING = {};

    private static final int FIXSTR = 0xa0;
    private static final int STR8 = 0xd9;
    private static final int LONGEST_FIXSTR = 31;
    private static final int NO = -1;

    private static final int EMPTY_HASH = ByteWords.hash(NOTHING, 0);

    private byte[] bytes = NOTHING;
    private int length;
    private int hash = EMPTY_HASH;
    private boolean blank = true;

    @Nullable
    private String text = "";

    /** Makes the text empty. The bytes are remembered, so that setting the same ones again costs nothing. */
    void clear() {
        blank = true;
    }

    void set(byte[] source, int offset, int count) {
        blank = false;
        if (count == length && ByteWords.same(bytes, source, offset, count)) {
            return;
        }
        if (bytes.length < count) {
            bytes = new byte[(count + Long.BYTES - 1) & -Long.BYTES];
        }
        System.arraycopy(source, offset, bytes, 0, count);
        length = count;
        hash = ByteWords.hash(bytes, count);
        text = null;
    }

    /**
     * Takes the text written there in msgpack's short forms; the byte of its length may be read, though it be beyond the end.
     *
     * @return where it ended; -1 if it is of another form, longer than allowed, or goes beyond the end
     */
    int read(byte[] source, int at, int end, int most) {
        int type = source[at] & 0xff;
        boolean byteOfLength = type == STR8;
        int begin = byteOfLength ? at + 2 : at + 1;
        int size = byteOfLength ? source[at + 1] & 0xff : type ^ FIXSTR;
        if (size > (byteOfLength ? most : LONGEST_FIXSTR) || size > end - begin) {
            return NO;
        }
        set(source, begin, size);
        return begin + size;
    }

    void set(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        set(encoded, 0, encoded.length);
    }

    void set(FrameText other) {
        if (other.blank) {
            clear();
            return;
        }
        set(other.bytes, 0, other.length);
        if (text == null) {
            text = other.text;
        }
    }

    int contentHash() {
        return blank ? EMPTY_HASH : hash;
    }

    boolean sameBytes(FrameText other) {
        int size = blank ? 0 : length;
        int otherSize = other.blank ? 0 : other.length;
        return size == otherSize && contentHash() == other.contentHash() && ByteWords.same(bytes, other.bytes, 0, size);
    }

    /** The bytes as UTF-8, ill-formed parts replaced by U+FFFD. Two different byte strings may look the same. */
    @Override
    public String toString() {
        if (blank) {
            return "";
        }
        String known = text;
        if (known == null) {
            known = new String(bytes, 0, length, StandardCharsets.UTF_8);
            text = known;
        }
        return known;
    }
}
