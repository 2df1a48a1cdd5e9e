/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import io.fpmplanner.service.log.ControlCharacters;
import java.util.List;

/** The configuration cannot be used. The message has one line per problem, each starting with the path of a key. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;
    private final transient List<String> warnings;

    /** With all problems, each naming its key. What they quote may hold anything; it is made one line of plain text. */
    public ConfigException(List<String> problems) {
        this(problems, List.of());
    }

    /** The same with what would have been warned of beside them. */
    public ConfigException(List<String> problems, List<String> warnings) {
        super(String.join("\n", plain(problems)));
        this.problems = plain(problems);
        this.warnings = plain(warnings);
    }

    private static List<String> plain(List<String> lines) {
        return lines.stream().map(ControlCharacters::shown).toList();
    }

    /** All problems found, in the order of the tree. */
    public List<String> problems() {
        return problems;
    }

    /** What was not understood and would not have hindered. */
    public List<String> warnings() {
        return warnings;
    }
}
