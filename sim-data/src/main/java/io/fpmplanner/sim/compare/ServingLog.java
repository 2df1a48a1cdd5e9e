/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A real run as the LLMServingSim project logs it: {@code requests.jsonl} with one request a line, and {@code meta.json} with the
 * engine's settings. Immutable.
 *
 * @param directory where it lies
 * @param meta the engine's settings
 * @param requests in order of arrival; at least one
 */
record ServingLog(Path directory, JsonNode meta, List<ServedRequest> requests) {
    /*
     * Arrivals are on the client's clock and the rest on the engine's, so they are brought together by the request that took
     * least from arrival to the engine's queue. Time in between counts as waiting, as it does for the client.
     */
    private static final ObjectMapper JSON = new ObjectMapper();

    ServingLog {
        requests = List.copyOf(requests);
    }

    /**
     * Reads a run.
     *
     * @throws IOException when a file is missing or a line is not what it should be; the message names file and line
     */
    static ServingLog read(Path directory) throws IOException {
        Path file = directory.resolve("requests.jsonl");
        List<JsonNode> lines = new ArrayList<>();
        double clockOffset = Double.POSITIVE_INFINITY;
        double firstArrival = Double.POSITIVE_INFINITY;
        for (String line : Files.readAllLines(file)) {
            String place = file + " line " + (lines.size() + 1);
            JsonNode node = parse(place, line);
            double arrival = number(place, node, "arrival_time");
            firstArrival = Math.min(firstArrival, arrival);
            clockOffset = Math.min(clockOffset, number(place, node, "queued_ts") - arrival);
            lines.add(node);
        }
        if (lines.isEmpty()) {
            throw new IOException(file + " holds no request");
        }
        List<ServedRequest> requests = new ArrayList<>();
        for (JsonNode node : lines) {
            requests.add(request(file + " line " + (requests.size() + 1), node, firstArrival, clockOffset));
        }
        requests.sort(Comparator.comparingDouble(ServedRequest::arrivalSeconds));
        Path meta = directory.resolve("meta.json");
        return new ServingLog(directory, JSON.readTree(meta.toFile()), requests);
    }

    private static JsonNode parse(String place, String line) throws IOException {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new IOException(place + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static ServedRequest request(String place, JsonNode node, double firstArrival, double clockOffset)
            throws IOException {
        double epoch = firstArrival + clockOffset;
        int input = tokens(place, node, "input_toks");
        int output = tokens(place, node, "output_toks");
        double first = number(place, node, "first_token_ts") - epoch;
        double last = number(place, node, "last_token_ts") - epoch;
        double arrival = number(place, node, "arrival_time") - firstArrival;
        if (!(arrival <= first && first <= last)) {
            throw new IOException(place + ": arrival, first and last token must follow each other");
        }
        return new ServedRequest(input, output, arrival, first, last);
    }

    private static int tokens(String place, JsonNode node, String field) throws IOException {
        double tokens = number(place, node, field);
        if (tokens < 1 || tokens > Integer.MAX_VALUE || tokens != Math.rint(tokens)) {
            throw new IOException(place + ": " + field + " must be a whole number of at least 1, was " + tokens);
        }
        return (int) tokens;
    }

    private static double number(String place, JsonNode node, String field) throws IOException {
        JsonNode value = node.path(field);
        if (!value.isNumber()) {
            throw new IOException(place + ": " + field
                    + (value instanceof MissingNode ? " is missing" : " must be a number, was " + value));
        }
        return value.asDouble();
    }

    /** Model by the name it was loaded with. */
    String model() {
        return meta.path("model").asText();
    }

    /** A setting of the engine, or the default when it was left to the engine. */
    int setting(String name, int otherwise) {
        JsonNode value = meta.path("engine_kwargs").path(name);
        return value.isInt() ? value.asInt() : otherwise;
    }

    /** Tokens that fit in the KV cache, where the run says so; else 0. */
    int kvTokens() {
        return meta.path("kv_cache").path("num_kv_tokens").asInt(0);
    }
}
