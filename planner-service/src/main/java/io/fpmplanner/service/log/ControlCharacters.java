/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.log;

/** What would begin another line or steer a terminal is shown, as backslash, u and four digits, and not obeyed. */
public final class ControlCharacters {
    private ControlCharacters() {}

    /** The text as one line. */
    public static String shown(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            append(line, text.charAt(i));
        }
        return line.toString();
    }

    static void append(StringBuilder line, char c) {
        if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
            line.append(String.format("\\u%04x", (int) c));
        } else {
            line.append(c);
        }
    }
}
