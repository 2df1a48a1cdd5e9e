/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A value of the form {@code word name=value name=value}; remembers which names were used. Not threadsafe. */
final class ValueWords {
    private final ScenarioLines.Line line;
    private final String word;
    private final Map<String, String> named = new LinkedHashMap<>();
    private final Set<String> used = new HashSet<>();

    private ValueWords(ScenarioLines.Line line, String word) {
        this.line = line;
        this.word = word;
    }

    static ValueWords parse(ScenarioLines.Line line) throws ScenarioException {
        String[] parts = line.value().split("\\s+", -1);
        ValueWords words = new ValueWords(line, parts[0]);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1 || equals == parts[i].length() - 1) {
                throw line.fault("'" + parts[i] + "' should read name=value, without spaces");
            }
            if (words.named.put(parts[i].substring(0, equals), parts[i].substring(equals + 1)) != null) {
                throw line.fault("'" + parts[i].substring(0, equals) + "' is given twice");
            }
        }
        return words;
    }

    String word() {
        return word;
    }

    boolean has(String name) {
        return named.containsKey(name);
    }

    String text(String name) throws ScenarioException {
        used.add(name);
        String value = named.get(name);
        if (value == null) {
            throw line.fault("'" + word + "' needs " + name + "=");
        }
        return value;
    }

    double number(String name) throws ScenarioException {
        return ScenarioLines.number(line, text(name));
    }

    double numberOr(String name, double otherwise) throws ScenarioException {
        return has(name) ? number(name) : otherwise;
    }

    int integer(String name) throws ScenarioException {
        double number = number(name);
        if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
            throw line.fault(name + " must be a whole number, was " + text(name));
        }
        return (int) number;
    }

    int integerOr(String name, int otherwise) throws ScenarioException {
        return has(name) ? integer(name) : otherwise;
    }

    /** Parses; what is out of range is reported at this line. */
    <T> T checked(ScenarioLines.Parsing<T> parsing) throws ScenarioException {
        try {
            return parsing.parse();
        } catch (IllegalArgumentException e) {
            throw line.fault(String.valueOf(e.getMessage()));
        }
    }

    void requireAllUsed() throws ScenarioException {
        for (String name : named.keySet()) {
            if (!used.contains(name)) {
                throw line.fault("'" + word + "' knows no '" + name + "'");
            }
        }
    }
}
