/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One leaf of the configuration tree.
 *
 * @param path with {@code []} for a list entry, e.g. {@code pools[].slo.ttftSeconds}
 * @param kind what its value must be
 * @param fallback text of the default, or "required", or "none" where it may be absent
 * @param choices the values of a {@link ValueKind#CHOICE}, else empty
 * @param meaning one sentence with unit and range, for the manual
 */
public record ConfigKey(String path, ValueKind kind, String fallback, List<String> choices, String meaning) {
    /** Kinds of values. */
    public enum ValueKind {
        TEXT("a string"),
        INTEGER("a whole number"),
        NUMBER("a number"),
        CHOICE("one of its choices"),
        FLAG("true or false"),
        TEXT_LIST("a list of strings");

        final String words;

        ValueKind(String words) {
            this.words = words;
        }
    }

    /** The environment variable that sets this key, with {@code N} for a list index. */
    public String variable() {
        return "PLANNER_" + upper(path.replace("[]", ".N"));
    }

    /** Matches names of environment variables for this key; groups are list indices, and of a list its entry, if any. */
    Pattern variablePattern() {
        String body = upper(path.replace("[]", ".#")).replace("#", "(\\d{1,4})");
        return Pattern.compile("PLANNER_" + body + (kind == ValueKind.TEXT_LIST ? "(?:_(\\d{1,4}))?" : ""));
    }

    private static String upper(String dotted) {
        return dotted.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
