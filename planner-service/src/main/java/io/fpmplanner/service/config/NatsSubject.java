/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.regex.Pattern;

/**
 * A NATS subject that may have wildcards: {@code *} for one token, {@code >} at the end for one or more.
 *
 * @param text the tokens with dots between
 */
public record NatsSubject(String text) {
    private static final Pattern TOKENS =
            Pattern.compile("(?:[^.\\s*>\\p{Cntrl}]+|\\*)(?:\\.(?:[^.\\s*>\\p{Cntrl}]+|\\*))*(?:\\.>)?|>");
    private static final int MAX_LENGTH = 1_024;

    public NatsSubject {
        if (text.length() > MAX_LENGTH || !TOKENS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a NATS subject has tokens without spaces and dots between, * for any token and > at the end for any rest,"
                            + " was '" + text + "'");
        }
    }

    /** Whether some subject matches both. */
    public boolean overlaps(NatsSubject other) {
        String[] mine = text.split("\\.", -1);
        String[] others = other.text.split("\\.", -1);
        for (int i = 0; i < mine.length && i < others.length; i++) {
            if (mine[i].equals(">") || others[i].equals(">")) {
                return true;
            }
            if (!mine[i].equals("*") && !others[i].equals("*") && !mine[i].equals(others[i])) {
                return false;
            }
        }
        return mine.length == others.length;
    }

    /** Whether it stands for several subjects, so that nothing can be published under it. */
    public boolean isPattern() {
        return text.contains("*") || text.endsWith(">");
    }

    @Override
    public String toString() {
        return text;
    }
}
