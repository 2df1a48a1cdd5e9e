/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import java.util.List;

/** The configuration cannot be used. The message has one line per problem, each starting with the path of a key. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** With all problems, each naming its key. */
    public ConfigException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** All problems found, in the order of the tree. */
    public List<String> problems() {
        return problems;
    }
}
