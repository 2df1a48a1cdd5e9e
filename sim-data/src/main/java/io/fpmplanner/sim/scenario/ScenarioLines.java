/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The lines of one scenario by key; remembers which were used. Not threadsafe. */
final class ScenarioLines {
    private static final int LONGEST_LINE = 1_000;
    /** Keys that may stand in several lines. */
    private static final Set<String> REPEATABLE = Set.of("fault");

    private final String file;
    private final Map<String, List<Line>> lines = new LinkedHashMap<>();
    private final Set<String> used = new HashSet<>();

    /** A line that says something. Immutable. */
    record Line(String file, int number, String key, String value) {
        ScenarioException fault(String reason) {
            return new ScenarioException(file, number, reason);
        }

        ValueWords words() throws ScenarioException {
            return ValueWords.parse(this);
        }
    }

    /** Something that may find a value out of range, or not find it at all. */
    @FunctionalInterface
    interface Parsing<T> {
        T parse() throws ScenarioException;
    }

    private ScenarioLines(String file) {
        this.file = file;
    }

    static ScenarioLines parse(String file, String text) throws ScenarioException {
        ScenarioLines result = new ScenarioLines(file);
        int number = 0;
        for (String raw : text.split("\r?\n", -1)) {
            number++;
            int comment = raw.indexOf('#');
            String content = (comment < 0 ? raw : raw.substring(0, comment)).strip();
            if (!content.isEmpty()) {
                result.add(number, content);
            }
        }
        return result;
    }

    private void add(int number, String content) throws ScenarioException {
        int equals = content.indexOf('=');
        if (content.length() > LONGEST_LINE || equals < 1) {
            throw new ScenarioException(
                    file, number, "a line must read 'key = value' in at most " + LONGEST_LINE + " characters");
        }
        String key = content.substring(0, equals).strip();
        Line line = new Line(file, number, key, content.substring(equals + 1).strip());
        if (line.value().isEmpty()) {
            throw line.fault("'" + key + "' has no value");
        }
        List<Line> same = lines.computeIfAbsent(key, any -> new ArrayList<>());
        if (!same.isEmpty() && !REPEATABLE.contains(key)) {
            throw line.fault("'" + key + "' stands in line " + same.get(0).number() + " already");
        }
        same.add(line);
    }

    List<Line> all(String key) {
        used.add(key);
        return lines.getOrDefault(key, List.of());
    }

    Optional<Line> find(String key) {
        return all(key).stream().findFirst();
    }

    Line require(String key) throws ScenarioException {
        return find(key).orElseThrow(() -> new ScenarioException(file, "'" + key + "' is missing"));
    }

    int integer(String key) throws ScenarioException {
        return integer(require(key));
    }

    int integerOr(String key, int otherwise) throws ScenarioException {
        Optional<Line> line = find(key);
        return line.isPresent() ? integer(line.get()) : otherwise;
    }

    double numberOr(String key, double otherwise) throws ScenarioException {
        Optional<Line> line = find(key);
        return line.isPresent() ? number(line.get(), line.get().value()) : otherwise;
    }

    /** Index of the value among the choices; 0 if the key is absent. */
    int choice(String key, List<String> choices) throws ScenarioException {
        Optional<Line> line = find(key);
        if (line.isEmpty()) {
            return 0;
        }
        int index = choices.indexOf(line.get().value());
        if (index < 0) {
            throw line.get()
                    .fault("'" + key + "' must be one of " + choices + ", was '"
                            + line.get().value() + "'");
        }
        return index;
    }

    /** Parses; what is out of range is reported at the line of the first key that is there, or for the whole file. */
    <T> T checked(List<String> keys, Parsing<T> parsing) throws ScenarioException {
        try {
            return parsing.parse();
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw keys.stream()
                    .flatMap(key -> find(key).stream())
                    .findFirst()
                    .map(line -> line.fault(reason))
                    .orElseGet(() -> new ScenarioException(file, reason));
        }
    }

    void requireAllUsed() throws ScenarioException {
        for (Map.Entry<String, List<Line>> entry : lines.entrySet()) {
            if (!used.contains(entry.getKey())) {
                throw entry.getValue().get(0).fault("nobody asks for '" + entry.getKey() + "' here");
            }
        }
    }

    static double number(Line line, String text) throws ScenarioException {
        try {
            double number = Double.parseDouble(text);
            if (!Double.isNaN(number) && !Double.isInfinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, in the words of the file's author.
        }
        throw line.fault("'" + text + "' is no finite number");
    }

    private static int integer(Line line) throws ScenarioException {
        try {
            return Integer.parseInt(line.value());
        } catch (NumberFormatException e) {
            throw line.fault("'" + line.value() + "' is no whole number");
        }
    }
}
