/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Chooses among sets of labels, as Kubernetes does: all requirements must hold, and none at all choose everything.
 * Immutable.
 *
 * @param requirements sorted by key
 */
public record LabelSelector(List<LabelRequirement> requirements) {
    /** Chooses everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = requirements.stream()
                .sorted(Comparator.comparing(LabelRequirement::key))
                .toList();
    }

    /**
     * Reads the text form, e.g. {@code pool=chat,role in (prefill,decode),!canary}.
     *
     * @throws IllegalArgumentException in the words of Kubernetes' own parser if it is malformed
     */
    public static LabelSelector parse(String text) {
        return new LabelSelector(new SelectorParser(text).parse());
    }

    /** Whether all requirements hold for these labels. */
    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /** Whether anything is asked of that key. */
    public boolean asks(String key) {
        return requirements.stream().anyMatch(requirement -> requirement.key().equals(key));
    }

    /** The text form, keys and values in alphabetical order. */
    @Override
    public String toString() {
        return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
    }
}
