/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JSON object that a client sent; whatever is wrong in it becomes a {@link Problem} that names the field and the range. */
public final class JsonBody {
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '([^']{0,60})'");
    private static final int SHOWN = 40;
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private final JsonNode object;
    private final String prefix;

    private JsonBody(JsonNode object, String prefix, List<String> known) {
        this.object = object;
        this.prefix = prefix;
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw Problem.field(
                        prefix + name, prefix + name + " is not a known field; known are " + String.join(", ", known));
            }
        });
    }

    /**
     * The body of a request, which must be an object with none but known fields.
     *
     * @param example a valid one, for people
     */
    public static JsonBody of(RoutingContext context, String example, List<String> known) {
        byte[] bytes = context.body().buffer() == null
                ? new byte[0]
                : context.body().buffer().getBytes();
        return of(bytes, example, known);
    }

    static JsonBody of(byte[] bytes, String example, List<String> known) {
        return new JsonBody(tree(bytes, example), "", known);
    }

    private static JsonNode tree(byte[] bytes, String example) {
        if (bytes.length == 0) {
            throw Problem.of(400, "the body is empty; send a JSON object such as " + example);
        }
        try {
            JsonNode node = JSON.readTree(bytes);
            if (!node.isObject()) {
                throw Problem.of(400, "the body must be a JSON object such as " + example);
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw Problem.of(400, "the body is nested too deeply, or holds too long a number or name");
        } catch (JsonProcessingException e) {
            throw Problem.of(400, "the body is not JSON: " + explain(e));
        } catch (IOException e) {
            throw Problem.of(400, "the body is not JSON");
        }
    }

    /** What is wrong with a text that is not JSON and where, in words of our own: those of the parser are about its settings. */
    public static String explain(JsonProcessingException e) {
        Matcher twice = DUPLICATE.matcher(e.getOriginalMessage());
        String what = e instanceof MismatchedInputException
                ? "something follows the object"
                : twice.lookingAt() ? "the field '" + twice.group(1) + "' appears twice" : "it is malformed";
        return e.getLocation() == null
                ? what
                : what + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** Whether the field is there and not null. */
    public boolean has(String field) {
        return object.hasNonNull(field);
    }

    /** A number within a range; empty if absent or null. */
    public OptionalDouble number(String field, double least, double most) {
        if (!has(field)) {
            return OptionalDouble.empty();
        }
        JsonNode value = object.get(field);
        if (!value.isNumber() || !(value.asDouble() >= least && value.asDouble() <= most)) {
            throw outside(field, "a number", number(least), number(most), value);
        }
        return OptionalDouble.of(value.asDouble());
    }

    /** A whole number within a range; empty if absent or null. */
    public OptionalLong whole(String field, long least, long most) {
        if (!has(field)) {
            return OptionalLong.empty();
        }
        JsonNode value = object.get(field);
        boolean fits = value.isIntegralNumber() && value.canConvertToLong();
        if (!fits || value.asLong() < least || value.asLong() > most) {
            throw outside(field, "a whole number", Long.toString(least), Long.toString(most), value);
        }
        return OptionalLong.of(value.asLong());
    }

    private Problem outside(String field, String kind, String least, String most, JsonNode value) {
        return Problem.outside(
                prefix + field,
                prefix + field + " must be " + kind + " between " + least + " and " + most + ", was " + shown(value),
                least,
                most);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** A string; empty if absent or null. */
    public Optional<String> text(String field) {
        if (!has(field)) {
            return Optional.empty();
        }
        JsonNode value = object.get(field);
        if (!value.isTextual()) {
            throw Problem.field(prefix + field, prefix + field + " must be a string, was " + shown(value));
        }
        return Optional.of(value.asText());
    }

    /** One of some words, in any case; empty if absent or null. */
    public Optional<String> word(String field, List<String> words) {
        return text(field)
                .map(text -> words.stream()
                        .filter(word -> word.equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> Problem.field(
                                prefix + field,
                                prefix + field + " must be one of " + String.join(", ", words) + ", was '" + cut(text)
                                        + "'")));
    }

    /** True or false; empty if absent or null. */
    public Optional<Boolean> flag(String field) {
        if (!has(field)) {
            return Optional.empty();
        }
        JsonNode value = object.get(field);
        if (!value.isBoolean()) {
            throw Problem.field(prefix + field, prefix + field + " must be true or false, was " + shown(value));
        }
        return Optional.of(value.asBoolean());
    }

    /** Whether the field holds an object. */
    public boolean isObject(String field) {
        return object.path(field).isObject();
    }

    /** An object inside this one. */
    public JsonBody child(String field, List<String> known) {
        JsonNode value = object.path(field);
        if (!value.isObject()) {
            throw Problem.field(prefix + field, prefix + field + " must be an object, was " + shown(value));
        }
        return new JsonBody(value, prefix + field + ".", known);
    }

    /** A list of objects. */
    public List<JsonBody> children(String field, int most, List<String> known) {
        JsonNode value = object.path(field);
        if (!value.isArray() || value.isEmpty() || value.size() > most) {
            throw Problem.field(
                    prefix + field,
                    prefix + field + " must be a list of 1 to " + most + " objects, was " + shown(value));
        }
        List<JsonBody> children = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            String name = prefix + field + "[" + i + "]";
            if (!value.get(i).isObject()) {
                throw Problem.field(name, name + " must be an object, was " + shown(value.get(i)));
            }
            children.add(new JsonBody(value.get(i), name + ".", known));
        }
        return children;
    }

    /** A list of numbers within a range; empty if absent or null. */
    public List<Double> numbers(String field, int most, double least, double highest) {
        if (!has(field)) {
            return List.of();
        }
        JsonNode value = object.get(field);
        if (!value.isArray() || value.isEmpty() || value.size() > most) {
            throw Problem.field(
                    prefix + field,
                    prefix + field + " must be a list of 1 to " + most + " numbers, was " + shown(value));
        }
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            JsonNode one = value.get(i);
            if (!one.isNumber() || !(one.asDouble() >= least && one.asDouble() <= highest)) {
                throw outside(field + "[" + i + "]", "a number", number(least), number(highest), one);
            }
            numbers.add(one.asDouble());
        }
        return numbers;
    }

    /** A 400 that says the field is required. */
    public Problem missing(String field) {
        return Problem.field(prefix + field, prefix + field + " is required");
    }

    /** A 400 about a field, from a message that begins with the name of what it is about. */
    public Problem wrong(String field, IllegalArgumentException cause) {
        return Problem.field(prefix + field, prefix + field + ": " + cause.getMessage());
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "absent" : cut(value.toString());
    }

    private static String cut(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }
}
