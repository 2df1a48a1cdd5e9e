/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The planner's REST interface, as any autoscaler would use it. Threadsafe. */
final class PlannerClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI base;

    /** @param base for example {@code http://127.0.0.1:8080/} */
    PlannerClient(URI base) {
        this.base = base;
    }

    /** The recommendation for a pool; empty when there is none now or the planner does not answer. */
    CompletableFuture<Optional<JsonNode>> recommendation(String poolId) {
        return send(request("v1/pools/" + poolId + "/recommendation").GET().build());
    }

    /** The prediction for a request of that length that would arrive now; empty when there is none. */
    CompletableFuture<Optional<JsonNode>> predict(String poolId, int inputTokens) {
        String body = json.createObjectNode().put("inputTokens", inputTokens).toString();
        return send(request("v1/pools/" + poolId + "/predictions")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /** Says what requests of a pool saw. */
    CompletableFuture<Optional<JsonNode>> observe(String poolId, List<Observations.Observation> seen) {
        ObjectNode body = json.createObjectNode();
        ArrayNode list = body.putArray("observations");
        for (Observations.Observation one : seen) {
            list.addObject()
                    .put(one.latency(), one.seconds())
                    .put(
                            "arrivedAt",
                            Instant.ofEpochSecond(0, one.arrivalNanos()).toString());
        }
        return send(request("v1/pools/" + poolId + "/observations")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
    }

    private CompletableFuture<Optional<JsonNode>> send(HttpRequest request) {
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(this::parse)
                .exceptionally(failure -> Optional.empty());
    }

    private Optional<JsonNode> parse(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            return Optional.empty();
        }
        try {
            return Optional.of(json.readTree(response.body()));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
