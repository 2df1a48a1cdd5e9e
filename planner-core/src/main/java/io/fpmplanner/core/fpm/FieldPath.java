/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

/** Where in a payload a value is read: the places of its key and of the one around it. Allocates only to tell. Not threadsafe. */
final class FieldPath {
    private static final int LONGEST = 64;

    private int outer;
    private int outerLength;
    private int inner;
    private int innerLength;

    void clear() {
        outerLength = 0;
        innerLength = 0;
    }

    /** Notes that the value of the key at that place comes next. */
    void key(boolean isOuter, int position, int length) {
        if (isOuter) {
            outer = position;
            outerLength = length;
            innerLength = 0;
        } else {
            inner = position;
            innerLength = length;
        }
    }

    /** The names of the keys with a point between; what cannot be shown is a question mark. Empty if there is none. */
    String text(byte[] buffer) {
        String name = name(buffer, outer, outerLength);
        return innerLength == 0 ? name : name + '.' + name(buffer, inner, innerLength);
    }

    private static String name(byte[] buffer, int position, int length) {
        int shown = Math.min(length, LONGEST);
        StringBuilder name = new StringBuilder(shown);
        for (int i = position; i < position + shown; i++) {
            boolean plain = buffer[i] > ' ' && buffer[i] < 0x7f;
            name.append(plain ? (char) buffer[i] : '?');
        }
        return name.toString();
    }
}
