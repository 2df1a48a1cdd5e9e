/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fpmplanner.service.config.ConfigKey.ValueKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The untyped tree that file, environment and flags are laid over one another in, and its check against the schema. */
final class ConfigTree {
    static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .build();
    private static final Pattern STEP = Pattern.compile("([A-Za-z][A-Za-z0-9]*)((?:\\[\\d{1,4}])*)");

    private final ObjectNode root;
    private final List<String> problems;

    ConfigTree(ObjectNode root, List<String> problems) {
        this.root = root;
        this.problems = problems;
    }

    ObjectNode root() {
        return root;
    }

    /** Lays a value given as text over the tree; what is wrong is added to the problems with where it came from. */
    void set(String path, ConfigKey key, String value, String origin) {
        JsonNode parsed = parse(path, key, value, origin);
        List<Object> steps = new ArrayList<>();
        for (String part : path.split("\\.", -1)) {
            Matcher matcher = STEP.matcher(part);
            if (!matcher.matches()) {
                problems.add(path + " is not a path (" + origin + ")");
                return;
            }
            steps.add(matcher.group(1));
            Arrays.stream(matcher.group(2).split("[\\[\\]]+"))
                    .filter(index -> !index.isEmpty())
                    .map(Integer::valueOf)
                    .forEach(steps::add);
        }
        put(path, steps, parsed, origin);
    }

    private void put(String path, List<Object> steps, JsonNode value, String origin) {
        JsonNode node = root;
        for (int i = 0; i < steps.size(); i++) {
            boolean last = i == steps.size() - 1;
            Object step = steps.get(i);
            JsonNode next = last
                    ? value
                    : steps.get(i + 1) instanceof Integer
                            ? JsonNodeFactory.instance.arrayNode()
                            : JsonNodeFactory.instance.objectNode();
            JsonNode child = child(node, step);
            if (!last && child != null && child.isContainerNode()) {
                node = child;
            } else if (node instanceof ObjectNode object && step instanceof String name) {
                object.set(name, next);
                node = next;
            } else if (node instanceof ArrayNode array && step instanceof Integer index && index <= array.size()) {
                if (index == array.size()) {
                    array.add(next);
                } else {
                    array.set(index, next);
                }
                node = next;
            } else if (node.isArray() != step instanceof Integer) {
                problems.add(path + " cannot be set: what it is to be part of is a "
                        + (node.isArray() ? "list" : "section with keys") + " (" + origin + ")");
                return;
            } else {
                problems.add(path + " is beyond the end of its list, which has " + node.size() + " entries (" + origin
                        + ")");
                return;
            }
        }
    }

    private static JsonNode child(JsonNode node, Object step) {
        return step instanceof Integer index ? node.get(index) : node.get((String) step);
    }

    private JsonNode parse(String path, ConfigKey key, String value, String origin) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        boolean wholeList = key.kind() == ValueKind.TEXT_LIST && !path.endsWith("]");
        if (wholeList) {
            ArrayNode list = nodes.arrayNode();
            String inner = value.strip().replaceAll("^\\[|]$", "");
            Arrays.stream(inner.split(","))
                    .map(part -> part.strip().replaceAll("^[\"']|[\"']$", ""))
                    .filter(part -> !part.isEmpty())
                    .forEach(list::add);
            return list;
        }
        if (key.kind() == ValueKind.TEXT || key.kind() == ValueKind.CHOICE || key.kind() == ValueKind.TEXT_LIST) {
            return nodes.textNode(value);
        }
        try {
            JsonNode parsed = YAML.readTree(value);
            return parsed == null || parsed.isMissingNode() ? nodes.nullNode() : parsed;
        } catch (JsonProcessingException e) {
            problems.add(path + " must be " + key.kind().words + ", was '" + value + "' (" + origin + ")");
            return nodes.nullNode();
        }
    }

    /** Adds a problem for every unknown key and every value of a wrong type. */
    void checkAgainstSchema() {
        checkSection("", root);
    }

    private void checkSection(String path, JsonNode section) {
        List<String> known = ConfigSchema.childrenOf(path);
        section.properties().forEach(entry -> {
            String name = entry.getKey();
            String childPath = path.isEmpty() ? name : path + "." + name;
            if (known.contains(name)) {
                checkValue(childPath, entry.getValue());
            } else {
                problems.add(childPath + " is not a known key" + KeySuggestion.forPath(childPath));
            }
        });
    }

    private void checkValue(String path, JsonNode value) {
        var key = ConfigSchema.find(path);
        if (value.isNull()) {
            return;
        }
        if (key.isPresent()) {
            checkLeaf(path, key.get(), value);
        } else if (!ConfigSchema.childrenOf(path + "[]").isEmpty()) {
            if (!value.isArray()) {
                problems.add(path + " must be a list, was " + value);
                return;
            }
            for (int i = 0; i < value.size(); i++) {
                checkObject(path + "[" + i + "]", value.get(i));
            }
        } else {
            checkObject(path, value);
        }
    }

    private void checkObject(String path, JsonNode value) {
        if (value.isObject()) {
            checkSection(path, value);
        } else {
            problems.add(path + " must be a section with keys, was " + value);
        }
    }

    private void checkLeaf(String path, ConfigKey key, JsonNode value) {
        boolean fits = switch (key.kind()) {
            case TEXT, CHOICE -> value.isTextual();
            case INTEGER -> value.isIntegralNumber() && value.canConvertToLong();
            case NUMBER -> value.isNumber();
            case FLAG -> value.isBoolean();
            case TEXT_LIST -> value.isArray();
        };
        if (!fits) {
            String hint = key.kind() == ValueKind.TEXT && value.isValueNode() ? " (put it in quotes)" : "";
            problems.add(path + " must be " + key.kind().words + ", was " + value + hint);
        } else if (key.kind() == ValueKind.TEXT_LIST) {
            for (int i = 0; i < value.size(); i++) {
                if (!value.get(i).isTextual()) {
                    problems.add(path + "[" + i + "] must be a string, was " + value.get(i));
                }
            }
        } else if (key.kind() == ValueKind.CHOICE && !key.choices().contains(normal(value.asText()))) {
            problems.add(path + " must be one of " + String.join(", ", key.choices()) + ", was '" + value.asText() + "'"
                    + Suggestion.forWord(value.asText(), key.choices()));
        }
    }

    /** Choices may be written in capitals and with underscores, as the enum constants are. */
    static String normal(String choice) {
        return choice.strip().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
