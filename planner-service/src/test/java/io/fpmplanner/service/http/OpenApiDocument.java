/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The OpenAPI document as a test reads it: its operations, and whether an exchange is what it says. */
public final class OpenApiDocument {
    private static final String LOCATION = "https://fpmplanner.test/openapi.json";
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private final JsonNode document;
    private final SchemaRegistry schemas;

    /** Reads a document; objects may have no member that it does not name, unless it says so. */
    public OpenApiDocument(String yaml) throws IOException {
        this.document = new YAMLMapper().readTree(yaml);
        JsonNode strict = document.deepCopy();
        close(strict.at("/components/schemas"));
        this.schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(LOCATION, strict.toString())));
    }

    /** A name that the document lacks is found this way; clients should be more lenient. */
    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.has("properties")
                && !object.has("additionalProperties")
                && !object.has("allOf")) {
            object.put("additionalProperties", false);
        }
        node.forEach(OpenApiDocument::close);
    }

    /** One operation; the path is a template. */
    public record Operation(String method, String path) {}

    public List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
                    if (METHODS.contains(method)) {
                        operations.add(new Operation(method.toUpperCase(java.util.Locale.ROOT), path.getKey()));
                    }
                }));
        return operations;
    }

    public JsonNode node(Operation operation) {
        return document.get("paths")
                .get(operation.path())
                .get(operation.method().toLowerCase(java.util.Locale.ROOT));
    }

    /** A path with the examples of its parameters. */
    public String example(Operation operation) {
        String path = operation.path();
        for (JsonNode declared : document.get("paths").get(operation.path()).path("parameters")) {
            JsonNode parameter = declared.has("$ref") ? at(declared.get("$ref").asText()) : declared;
            path = path.replace(
                    "{" + parameter.get("name").asText() + "}",
                    parameter.path("example").asText());
        }
        return path;
    }

    private JsonNode at(String reference) {
        return document.at(reference.substring(1));
    }

    /** What is wrong with an answer; empty if nothing. */
    public Set<String> faults(Operation operation, int status, String contentType, String body) {
        String pointer = pointer("paths", operation.path(), operation.method().toLowerCase(java.util.Locale.ROOT));
        JsonNode responses = document.at(pointer + "/responses");
        JsonNode response = responses.path(Integer.toString(status));
        if (response.isMissingNode()) {
            return Set.of("status " + status + " is not documented; documented are " + names(responses));
        }
        String place = pointer + "/responses/" + status;
        if (response.has("$ref")) {
            place = response.get("$ref").asText().substring(1);
            response = document.at(place);
        }
        if (!response.has("content")) {
            return body.isEmpty() ? Set.of() : Set.of("a body is not documented");
        }
        String media = contentType.split(";", 2)[0].strip();
        if (!response.get("content").has(media)) {
            return Set.of(media + " is not documented; documented are " + names(response.get("content")));
        }
        return media.endsWith("json") ? faults(place + pointer("content", media) + "/schema", body) : Set.of();
    }

    /** What is wrong with a request's body. */
    public Set<String> requestFaults(Operation operation, String body) {
        String method = operation.method().toLowerCase(java.util.Locale.ROOT);
        return faults(
                pointer("paths", operation.path(), method, "requestBody", "content", "application/json") + "/schema",
                body);
    }

    /** The examples of a JSON body that an operation is sent; empty if it takes none. */
    public List<String> requestExamples(Operation operation) {
        JsonNode body = node(operation).path("requestBody");
        if (body.has("$ref")) {
            body = at(body.get("$ref").asText());
        }
        List<String> bodies = new ArrayList<>();
        body.path("content")
                .path("application/json")
                .path("examples")
                .forEach(example -> bodies.add(example.get("value").toString()));
        return bodies;
    }

    /** Whether an operation is sent a body. */
    public boolean takesBody(Operation operation) {
        return node(operation).has("requestBody");
    }

    /** Statuses that an operation may answer. */
    public Set<String> statuses(Operation operation) {
        return new TreeSet<>(names(node(operation).get("responses")));
    }

    /** What is wrong with the examples that stand in an operation. */
    public Set<String> exampleFaults(Operation operation) {
        Set<String> faults = new TreeSet<>();
        examples(
                node(operation),
                pointer("paths", operation.path(), operation.method().toLowerCase(java.util.Locale.ROOT)),
                faults);
        return faults;
    }

    private void examples(JsonNode node, String place, Set<String> faults) {
        node.properties().forEach(entry -> {
            String inner = place + pointer(entry.getKey());
            if (entry.getKey().equals("examples")) {
                entry.getValue()
                        .forEach(example -> faults.addAll(
                                faults(place + "/schema", example.get("value").toString())));
            } else if (!entry.getKey().equals("schema")) {
                examples(entry.getValue(), inner, faults);
            }
        });
    }

    private Set<String> faults(String pointer, String json) {
        Schema schema = schemas.getSchema(
                SchemaLocation.of(LOCATION + "#" + pointer.replace("{", "%7B").replace("}", "%7D")));
        Set<String> faults = new TreeSet<>();
        schema.validate(json, InputFormat.JSON)
                .forEach(fault -> faults.add(fault.getInstanceLocation() + ": " + fault.getMessage()));
        return faults;
    }

    private static String pointer(String... steps) {
        StringBuilder pointer = new StringBuilder();
        for (String step : steps) {
            pointer.append('/').append(step.replace("~", "~0").replace("/", "~1"));
        }
        return pointer.toString();
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
