/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.http.OpenApiDocument.Operation;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The served OpenAPI document against the routes there are and against what they answer. */
class ContractTest {
    private static final Operation PREDICT = new Operation("POST", "/v1/pools/{pool}/predictions");
    private static final Pattern PARAMETER = Pattern.compile(":(\\w+)");
    private static final AtomicReference<Router> ROUTER = new AtomicReference<>();

    private static TestPublisher publisher;
    private static PlannerService service;
    private static RestClient rest;
    private static OpenApiDocument document;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        publisher = new TestPublisher();
        Path config = Files.writeString(directory.resolve("planner.yaml"), """
                http: {port: 0}
                tickSeconds: 0.1
                metrics: {aliases: [dynamo, wva, aibrix]}
                pools:
                  - id: chat
                    role: decode
                    prior: vllm-0.20.1-b300-qwen3-32b-tp1
                    sources: ["%s"]
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                  - id: cold
                    sources: ["tcp://127.0.0.1:1"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config(), List.of(ROUTER::set));
        publisher.awaitSubscriber();
        rest = new RestClient(service.url());
        document = new OpenApiDocument(rest.get("/openapi.yaml").body());
        for (int i = 0; i < 200; i++) {
            publisher.sendDecode("w");
        }
        rest.await(
                "/v1/pools/chat/recommendation",
                d -> !d.path("status").asText("UNDECIDED").equals("UNDECIDED"));
    }

    @AfterAll
    static void stop() {
        service.close();
        publisher.close();
    }

    static List<Operation> operations() {
        return document.operations();
    }

    @Test
    void everyRouteHasAnOperationAndTheReverse() {
        Set<Operation> routes = new HashSet<>();
        Set<String> withMethods = new HashSet<>();
        for (Route route : ROUTER.get().getRoutes()) {
            if (isTemplate(route) && route.methods() != null) {
                withMethods.add(route.getPath());
                route.methods().stream()
                        .filter(method -> !method.equals(HttpMethod.HEAD))
                        .forEach(method -> routes.add(new Operation(method.name(), template(route))));
            }
        }
        // A route for all methods refuses those that the others of its path do not take, or is read with GET.
        for (Route route : ROUTER.get().getRoutes()) {
            if (isTemplate(route) && route.methods() == null && !withMethods.contains(route.getPath())) {
                routes.add(new Operation("GET", template(route)));
            }
        }
        assertThat(routes).containsExactlyInAnyOrderElementsOf(document.operations());
    }

    private static boolean isTemplate(Route route) {
        // Wildcards are told by their prefix, slash included.
        return route.getPath() != null
                && (route.getPath().equals("/") || !route.getPath().endsWith("/"));
    }

    private static String template(Route route) {
        return PARAMETER.matcher(route.getPath()).replaceAll("{$1}");
    }

    @Test
    void everyOperationHasAnIdOfItsOwnATagAndASummary() {
        Set<String> ids = new TreeSet<>();
        for (Operation operation : document.operations()) {
            JsonNode node = document.node(operation);
            assertThat(ids.add(node.path("operationId").asText("")))
                    .as(operation + " " + node.path("operationId"))
                    .isTrue();
            assertThat(node.path("summary").asText("")).as(operation.toString()).isNotBlank();
            assertThat(node.path("tags").isEmpty()).as(operation.toString()).isFalse();
        }
        assertThat(ids).doesNotContain("");
    }

    @ParameterizedTest
    @MethodSource("operations")
    void examplesAreWhatTheySay(Operation operation) {
        assertThat(document.exampleFaults(operation)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whatIsReadIsAnsweredAsDocumented(Operation operation) throws Exception {
        if (!operation.method().equals("GET") || operation.path().endsWith("/events")) {
            return;
        }
        for (String path : List.of(
                document.example(operation),
                document.example(operation).replace("/pools/chat", "/pools/cold"),
                document.example(operation).replace("/pools/chat", "/pools/absent"))) {
            documented(operation, rest.get(path));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"inputTokens\": 1000}",
                "{\"inputTokens\": 1000, \"cachedTokens\": 10, \"workerId\": null}",
                "{\"inputTokens\": 1000, \"workerId\": \"w\"}",
                "{\"inputTokens\": 1000, \"workerId\": \"nobody\"}",
            })
    void goodRequestsAreWhatTheDocumentAllows(String body) throws Exception {
        assertThat(document.requestFaults(PREDICT, body)).isEmpty();
        for (String pool : List.of("chat", "cold", "absent")) {
            HttpResponse<String> response = rest.post("/v1/pools/" + pool + "/predictions", body);
            assertThat(response.statusCode()).isIn(200, 404, 409);
            documented(PREDICT, response);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"inputTokens\": \"many\"}", "{\"inputTokens\": 1, \"tokens\": 2}"})
    void badRequestsAreWhatTheDocumentForbids(String body) throws Exception {
        assertThat(document.requestFaults(PREDICT, body)).isNotEmpty();
        HttpResponse<String> response = rest.post("/v1/pools/chat/predictions", body);
        assertThat(response.statusCode()).isEqualTo(400);
        documented(PREDICT, response);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whatIsChangedOrAskedIsAnsweredAsDocumented(Operation operation) throws Exception {
        if (document.takesBody(operation)) {
            assertThat(document.requestExamples(operation))
                    .as("an example of a request")
                    .isNotEmpty();
        }
        for (String pool : List.of("chat", "cold", "absent")) {
            String path = document.example(operation).replace("/pools/chat", "/pools/" + pool);
            for (String body : document.requestExamples(operation)) {
                HttpResponse<String> answer = rest.send(rest.request(path)
                        .header("Content-Type", "application/json")
                        .method(operation.method(), HttpRequest.BodyPublishers.ofString(body)));
                documented(operation, answer);
                documented(
                        operation,
                        rest.send(rest.request(path)
                                .header("Content-Type", "application/json")
                                .method(operation.method(), HttpRequest.BodyPublishers.ofString("[7]"))));
            }
            if (operation.method().equals("DELETE")) {
                documented(operation, rest.send(rest.request(path).DELETE()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whatAccessAnswersIsDocumentedEverywhere(Operation operation) {
        boolean health = operation.path().matches("/(healthz|livez|readyz).*");

        assertThat(document.statuses(operation))
                .containsAll(health ? Set.of("403") : Set.of("401", "403", "429", "503"));
        assertThat(document.node(operation).has("security"))
                .as("only health is open to everybody")
                .isEqualTo(health);
    }

    @Test
    void otherBodiesAreRefusedAsDocumented() throws Exception {
        documented(PREDICT, rest.post("/v1/pools/chat/predictions", "x".repeat(100_000)));
        documented(
                PREDICT,
                rest.send(rest.request("/v1/pools/chat/predictions")
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))));
    }

    @Test
    void theCheckCanFail() {
        Operation pools = new Operation("GET", "/v1/pools");
        assertThat(document.faults(pools, 200, "application/json", "{\"pools\": [{}]}"))
                .isNotEmpty();
        assertThat(document.faults(pools, 200, "application/json", "{\"pools\": [], \"more\": 1}"))
                .isNotEmpty();
        assertThat(document.faults(pools, 418, "application/json", "{}")).isNotEmpty();
        assertThat(document.faults(pools, 200, "text/html", "")).isNotEmpty();
    }

    @Test
    void aPlanThatIsKnownAlreadyIsNotSentAgain() throws Exception {
        HttpResponse<String> stale = rest.get("/v1/pools/chat/recommendation");
        String tag = stale.headers().firstValue("ETag").orElseThrow();
        assertThat(stale.headers().firstValue("Cache-Control")).hasValue("no-cache");

        HttpResponse<String> all = rest.send(rest.request("/v1/pools/chat").header("If-None-Match", "*"));

        assertThat(tag).startsWith("W/\"");
        assertThat(all.statusCode()).isEqualTo(304);
        assertThat(all.body()).isEmpty();
        documented(new Operation("GET", "/v1/pools/{pool}"), all);
        assertThat(rest.send(rest.request("/v1/pools").header("If-None-Match", "W/\"old\""))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void scalersGetANumberOrAnErrorThatSaysWhy() throws Exception {
        JsonNode known = rest.json("/v1/pools/chat/desired-replicas");
        HttpResponse<String> unknown = rest.get("/v1/pools/cold/desired-replicas");

        assertThat(known.get("desiredReplicas").isInt()).isTrue();
        assertThat(known.get("held").asBoolean()).isFalse();
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(RestClient.parse(unknown.body()).get("detail").asText()).contains("UNDECIDED", "NO_DATA");
    }

    @Test
    void metricsHaveTheNamesOfOthersWhereConfigured() throws Exception {
        assertThat(rest.get("/metrics/llm/chat").body())
                .containsPattern("vllm:deployment_replicas\\{model_name=\"\"} \\d+\n");
        assertThat(rest.get("/metrics/llm/cold").statusCode()).isEqualTo(503);
        assertThat(rest.get("/metrics").body())
                .containsPattern(
                        "wva_desired_replicas\\{accelerator_type=\"\",namespace=\"\",variant_name=\"chat\"} \\d+\\.0")
                .containsPattern("wva_desired_ratio\\{accelerator_type=\"\",namespace=\"\",variant_name=\"chat\"} \\d")
                .doesNotContain("variant_name=\"cold\"")
                .containsPattern("dynamo_planner_predicted_num_decode_replicas\\{model_name=\"\"} \\d+\\.0")
                .contains("dynamo_planner_num_decode_replicas{model_name=\"\"} 1.0")
                .contains("dynamo_planner_sla_target_itl_ms{model_name=\"\"} 50.0")
                .contains("dynamo_planner_estimated_itl_ms");
    }

    @Test
    void theDocumentIsThereAsJsonAndAsAPageWithoutForeignHosts() throws Exception {
        assertThat(rest.json("/openapi.json").get("openapi").asText()).isEqualTo("3.1.0");
        String page = rest.get("/docs").body();
        assertThat(page).contains("openapi.json").doesNotContain("http://", "https://");
    }

    private static void documented(Operation operation, HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        assertThat(document.faults(operation, response.statusCode(), type, response.body()))
                .as(operation + " answered " + response.statusCode() + " " + type + " " + response.body())
                .isEmpty();
    }
}
