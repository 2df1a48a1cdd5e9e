/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Gives text of any kind to the parsers of label selectors and quantities. */
public final class SelectorFuzz {
    private SelectorFuzz() {}

    /** Selectors as kubectl writes them. */
    public static List<byte[]> selectors() {
        return seeds("pool=chat,role!=decode", "pool in (a, b),tier notin (x),!canary,exists", "a==b,c>3,d<9");
    }

    /** Quantities as Kubernetes writes them. */
    public static List<byte[]> quantities() {
        return seeds("1500m", "1.5Gi", "-3e6", "12.345678", "0", "9223372036854775807", "1E3", "100Ki");
    }

    private static List<byte[]> seeds(String... texts) {
        return List.of(texts).stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** One selector. */
    public static void selector(byte[] data) {
        try {
            String unused = LabelSelector.parse(new String(data, StandardCharsets.UTF_8))
                    .toString();
        } catch (IllegalArgumentException refused) {
            requireSentence(refused);
        }
    }

    /** One quantity. */
    public static void quantity(byte[] data) {
        try {
            String unused =
                    Quantity.parse(new String(data, StandardCharsets.UTF_8)).toString();
        } catch (IllegalArgumentException refused) {
            requireSentence(refused);
        }
    }

    private static void requireSentence(IllegalArgumentException refused) {
        if (refused.getMessage() == null || refused instanceof NumberFormatException) {
            throw new AssertionError("refused without words of our own", refused);
        }
    }
}
