/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Predicate;

/** A plain HTTP client, and waiting by asking again until a condition holds. */
public final class RestClient {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    public RestClient(String base) {
        this.base = base;
    }

    public HttpResponse<String> get(String path) throws Exception {
        return send(request(path).GET());
    }

    public HttpResponse<String> post(String path, String body) throws Exception {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(DEADLINE);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    public JsonNode json(String path) throws Exception {
        return JSON.readTree(get(path).body());
    }

    public static JsonNode missing() {
        return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }

    public static JsonNode parse(String body) throws Exception {
        return JSON.readTree(body);
    }

    /** Asks until the document satisfies the condition; each answer paces the next question. */
    public JsonNode await(String path, Predicate<JsonNode> condition) throws Exception {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        JsonNode last = json(path);
        while (!condition.test(last)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never came true at " + path + ", last was " + last.toPrettyString());
            }
            last = json(path);
        }
        return last;
    }
}
