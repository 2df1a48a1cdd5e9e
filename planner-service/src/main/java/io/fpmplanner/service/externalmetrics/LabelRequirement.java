/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * One condition of a {@link LabelSelector}. Immutable.
 *
 * @param key a qualified name: an optional DNS subdomain and a slash, then at most 63 characters
 * @param operator what is asked
 * @param values what the value is compared with, sorted and distinct; whole numbers for {@code >} and {@code <}
 */
record LabelRequirement(String key, Operator operator, List<String> values) {
    /** Comparisons; an absent key satisfies {@code NOT_IN}, {@code NOT_EQUALS} and {@code DOES_NOT_EXIST} only. */
    enum Operator {
        EQUALS("="),
        DOUBLE_EQUALS("=="),
        NOT_EQUALS("!="),
        IN("in"),
        NOT_IN("notin"),
        GREATER_THAN(">"),
        LESS_THAN("<"),
        EXISTS(""),
        DOES_NOT_EXIST("!");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }
    }

    LabelRequirement {
        values = List.copyOf(values);
    }

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException in Kubernetes' words
     */
    static LabelRequirement of(String key, Operator operator, Collection<String> values) {
        LabelSyntax.checkKey(key);
        if (operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN) {
            values.forEach(LabelRequirement::requireWhole);
        }
        List<String> sorted = List.copyOf(new TreeSet<>(values));
        sorted.forEach(value -> LabelSyntax.checkValue(key, value));
        return new LabelRequirement(key, operator, sorted);
    }

    private static void requireWhole(String value) {
        try {
            Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("for 'Gt', 'Lt' operators, the value must be an integer", e);
        }
    }

    boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        if (value == null) {
            return operator == Operator.NOT_IN
                    || operator == Operator.NOT_EQUALS
                    || operator == Operator.DOES_NOT_EXIST;
        }
        return switch (operator) {
            case EQUALS, DOUBLE_EQUALS, IN -> values.contains(value);
            case NOT_EQUALS, NOT_IN -> !values.contains(value);
            case GREATER_THAN -> compare(value) > 0;
            case LESS_THAN -> compare(value) < 0;
            case EXISTS -> true;
            case DOES_NOT_EXIST -> false;
        };
    }

    /** The label against the number asked for; 0, which satisfies neither comparison, when the label is no number. */
    private int compare(String value) {
        try {
            return Long.compare(Long.parseLong(value), Long.parseLong(values.get(0)));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public String toString() {
        return switch (operator) {
            case EXISTS -> key;
            case DOES_NOT_EXIST -> operator.sign + key;
            case IN, NOT_IN -> key + " " + operator.sign + " (" + String.join(",", values) + ")";
            default -> key + operator.sign + String.join(",", values);
        };
    }
}
