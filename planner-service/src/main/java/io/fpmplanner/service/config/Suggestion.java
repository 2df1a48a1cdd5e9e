/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Suggestion {
    private Suggestion() {}

    /** {@code ", did you mean 'x'?"} for the nearest candidate, or the empty string when none is near. */
    static String forWord(String word, Collection<String> candidates) {
        return nearest(word, candidates)
                .map(candidate -> ", did you mean '" + candidate + "'?")
                .orElse("");
    }

    /** The nearest candidate, if any is near. */
    static Optional<String> nearest(String word, Collection<String> candidates) {
        int allowed = Math.max(2, word.length() / 3);
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
                .filter(candidate -> distance(word, candidate) <= allowed);
    }

    /** Levenshtein distance without regard to case, by the two-row form of the usual recurrence. */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
