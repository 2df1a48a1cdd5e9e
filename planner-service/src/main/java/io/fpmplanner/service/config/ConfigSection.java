/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A part of the tree that one record is made of.
 *
 * @param problems what is wrong is added there
 * @param path of the section; empty for the whole tree
 * @param node the section; a value that was refused is taken out of it
 */
record ConfigSection(List<String> problems, String path, JsonNode node) {
    /**
     * What the constructor makes; if it refuses, a problem is added and the fallback is the result. A record refuses one
     * value at a time and names it first, so it is asked again without that value: all that is wrong is told at once.
     */
    <T> T build(T fallback, Supplier<T> constructor) {
        Set<String> refused = new HashSet<>();
        while (true) {
            try {
                T made = constructor.get();
                return refused.isEmpty() ? made : fallback;
            } catch (IllegalArgumentException e) {
                // Of a part with a name of its own all of it goes.
                String field = String.valueOf(e.getMessage()).split("[ .]", 2)[0];
                if (!refused.add(field)) {
                    // Its absence is refused as well, which is our doing.
                    return fallback;
                }
                problems.add(path.isEmpty() ? String.valueOf(e.getMessage()) : path + "." + e.getMessage());
                if (!(node instanceof ObjectNode section) || section.remove(field) == null) {
                    return fallback;
                }
            }
        }
    }
}
