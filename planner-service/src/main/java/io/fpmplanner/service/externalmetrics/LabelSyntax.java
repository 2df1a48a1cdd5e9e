/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What may be the key or the value of a label, with complaints in the words operators know from Kubernetes. */
final class LabelSyntax {
    private static final int MAX_BYTES = 63;
    private static final int MAX_PREFIX_BYTES = 253;
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE = "(" + NAME + ")?";
    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = DNS_LABEL + "(\\." + DNS_LABEL + ")*";
    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);
    private static final Pattern VALUE_PATTERN = Pattern.compile(VALUE);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]");
    private static final Pattern UNSAFE_ENDS = Pattern.compile("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$");

    private static final String NAME_RULE =
            " must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation"
                    + " is '" + NAME + "')";
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters,"
                    + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or"
                    + " '12345', regex used for validation is '" + VALUE + "')";
    private static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                    + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
                    + " used for validation is '" + SUBDOMAIN + "')";

    private LabelSyntax() {}

    static void checkKey(String key) {
        List<String> faults = keyFaults(key);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("invalid label key \"" + key + "\": " + String.join("; ", faults));
        }
    }

    private static List<String> keyFaults(String key) {
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            return List.of("a qualified name" + NAME_RULE + " with an optional DNS subdomain prefix and '/' (e.g."
                    + " 'example.com/MyName')");
        }
        List<String> faults = new ArrayList<>();
        if (parts.length == 2) {
            prefixFaults(parts[0], faults);
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            faults.add("name part must be non-empty");
        } else if (bytes(name) > MAX_BYTES) {
            faults.add("name part must be no more than " + MAX_BYTES + " characters");
        }
        if (!NAME_PATTERN.matcher(name).matches()) {
            faults.add("name part" + NAME_RULE);
        }
        return faults;
    }

    private static void prefixFaults(String prefix, List<String> faults) {
        if (prefix.isEmpty()) {
            faults.add("prefix part must be non-empty");
            return;
        }
        if (bytes(prefix) > MAX_PREFIX_BYTES) {
            faults.add("prefix part must be no more than " + MAX_PREFIX_BYTES + " characters");
        }
        if (!SUBDOMAIN_PATTERN.matcher(prefix).matches()) {
            faults.add("prefix part " + SUBDOMAIN_RULE);
        }
    }

    static void checkValue(String key, String value) {
        List<String> faults = new ArrayList<>();
        if (bytes(value) > MAX_BYTES) {
            faults.add("must be no more than " + MAX_BYTES + " characters");
        }
        if (!VALUE_PATTERN.matcher(value).matches()) {
            faults.add(VALUE_RULE);
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "invalid label value: \"" + value + "\": at key: \"" + key + "\": " + String.join("; ", faults));
        }
    }

    /** Any text as a label value that selectors can ask for: what they cannot becomes a hyphen, the rest is cut. */
    static String valueOf(String text) {
        String safe = UNSAFE.matcher(text).replaceAll("-");
        String cut = safe.length() > MAX_BYTES ? safe.substring(0, MAX_BYTES) : safe;
        return UNSAFE_ENDS.matcher(cut).replaceAll("");
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
