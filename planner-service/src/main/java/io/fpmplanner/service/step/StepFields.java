/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.step;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.OptionalDouble;
import java.util.Set;

/** Reads members of a line; whatever is missing, of a wrong type or out of range is said with its path. */
final class StepFields {
    private StepFields() {}

    static double required(JsonNode node, String path, String name, double least) throws StepException {
        return optional(node, path, name, least, Double.MAX_VALUE)
                .orElseThrow(() -> new StepException(join(path, name), join(path, name) + " is required"));
    }

    static OptionalDouble optional(JsonNode node, String path, String name, double least, double most)
            throws StepException {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalDouble.empty();
        }
        String field = join(path, name);
        if (!value.isNumber()) {
            throw new StepException(field, field + " must be a number, was " + value.getNodeType());
        }
        double number = value.asDouble();
        if (!(number >= least && number <= most)) {
            String range = most == Double.MAX_VALUE ? "at least " + plain(least) : plain(least) + " to " + plain(most);
            throw new StepException(field, field + " must be " + range + ", was " + value.asText());
        }
        return OptionalDouble.of(number);
    }

    static int count(JsonNode node, String path, String name, boolean mustBe) throws StepException {
        String field = join(path, name);
        OptionalDouble value = optional(node, path, name, 0, 1_000_000);
        if (value.isEmpty()) {
            if (mustBe) {
                throw new StepException(field, field + " is required");
            }
            return 0;
        }
        if (value.getAsDouble() != Math.rint(value.getAsDouble())) {
            throw new StepException(field, field + " must be a whole number, was " + value.getAsDouble());
        }
        return (int) value.getAsDouble();
    }

    static void onlyKnown(JsonNode node, String path, Set<String> known) throws StepException {
        if (!node.isObject()) {
            throw new StepException(path, (path.isEmpty() ? "a line" : path) + " must be a JSON object");
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new StepException(
                        join(path, name), join(path, name) + " is not known; known are " + String.join(", ", known));
            }
        }
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
