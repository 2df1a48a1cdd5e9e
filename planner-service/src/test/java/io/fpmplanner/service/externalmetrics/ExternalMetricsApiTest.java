/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics API of a running service with one pool that is known, one that is not, and one of another namespace. */
class ExternalMetricsApiTest {
    private static final String V1BETA1 = "/apis/external.metrics.k8s.io/v1beta1";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,"
            + "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

    private static TestPublisher publisher;
    private static PlannerService service;
    private static RestClient rest;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        publisher = new TestPublisher();
        Path config = Files.writeString(directory.resolve("planner.yaml"), """
                http: {port: 0}
                tickSeconds: 0.1
                pools:
                  - id: chat
                    model: Qwen/Qwen3-32B
                    role: decode
                    prior: vllm-0.20.1-b300-qwen3-32b-tp1
                    kubernetes: {namespace: llm}
                    sources: ["%s"]
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                  - id: cold
                    kubernetes: {namespace: llm}
                    sources: ["tcp://127.0.0.1:1"]
                  - id: elsewhere
                    kubernetes: {namespace: other}
                    sources: ["tcp://127.0.0.1:2"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config());
        publisher.awaitSubscriber();
        rest = new RestClient(service.url());
        for (int i = 0; i < 200; i++) {
            publisher.sendDecode("w");
        }
        rest.await(
                "/v1/pools/chat/recommendation",
                d -> d.path("desiredReplicas").isInt()
                        && !d.path("status").asText().equals("UNDECIDED"));
    }

    @AfterAll
    static void stop() {
        service.close();
        publisher.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/apis | {\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[{\"name\":\"external.metrics.k8s.io\","
                        + "\"versions\":[{\"groupVersion\":\"external.metrics.k8s.io/v1beta1\",\"version\":\"v1beta1\"}],"
                        + "\"preferredVersion\":{\"groupVersion\":\"external.metrics.k8s.io/v1beta1\",\"version\":\"v1beta1\"}}]}",
                "/apis/external.metrics.k8s.io | {\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"name\":"
                        + "\"external.metrics.k8s.io\",\"versions\":[{\"groupVersion\":\"external.metrics.k8s.io/v1beta1\","
                        + "\"version\":\"v1beta1\"}],\"preferredVersion\":{\"groupVersion\":"
                        + "\"external.metrics.k8s.io/v1beta1\",\"version\":\"v1beta1\"}}",
            })
    void discoveryIsByteForByteThatOfKubernetes(String path, String body) throws Exception {
        HttpResponse<String> response = rest.get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(body + "\n");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    }

    @Test
    void everyMetricIsDiscovered() throws Exception {
        String body = rest.get(V1BETA1).body();

        assertThat(body)
                .startsWith(
                        "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":"
                                + "\"external.metrics.k8s.io/v1beta1\",\"resources\":[{\"name\":\"llm_desired_replicas\","
                                + "\"singularName\":\"\",\"namespaced\":true,\"kind\":\"ExternalMetricValueList\",\"verbs\":[\"get\"]},");
        assertThat(RestClient.parse(body).get("resources").findValuesAsText("name"))
                .containsExactlyElementsOf(ExternalMetric.names());
        assertThat(RestClient.parse(body).get("resources").findValuesAsText("kind"))
                .as("kubectl goes by kinds")
                .doesNotHaveDuplicates();
    }

    @Test
    void aValueIsByteForByteWhatTheHpaReads() throws Exception {
        HttpResponse<String> response = values("llm", "llm_desired_replicas", "pool=chat");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .matches("\\{\"kind\":\"ExternalMetricValueList\",\"apiVersion\":\"external.metrics.k8s.io/v1beta1\","
                        + "\"metadata\":\\{},\"items\":\\[\\{\"metricName\":\"llm_desired_replicas\",\"metricLabels\":"
                        + "\\{\"model\":\"Qwen-Qwen3-32B\",\"pool\":\"chat\",\"role\":\"decode\"},"
                        + "\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\",\"value\":\"\\d+\"}]}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "llm_desired_replicas",
                "llm_desired_ratio",
                "llm_predicted_ttft_seconds",
                "llm_predicted_itl_seconds",
                "llm_slo_attainment_ratio",
                "llm_backlog_seconds"
            })
    void everyMetricOfAKnownPoolIsOneQuantity(String metric) throws Exception {
        JsonNode items =
                RestClient.parse(values("llm", metric, "pool=chat").body()).path("items");

        assertThat(items.size()).isEqualTo(1);
        assertThat(Quantity.parse(items.at("/0/value").asText()).value()).isNotNegative();
        assertThat(items.at("/0/metricLabels/percentile").asText("90")).isEqualTo("90");
    }

    @Test
    void percentilesAreGivenWhereTheyAreAskedFor() throws Exception {
        JsonNode all = RestClient.parse(values("llm", "llm_predicted_itl_seconds", "pool=chat,percentile")
                .body());
        JsonNode median = RestClient.parse(values("llm", "llm_predicted_itl_seconds", "percentile=50,pool=chat")
                .body());

        assertThat(all.get("items").size()).isEqualTo(3);
        assertThat(median.at("/items/0/metricLabels/percentile").asText()).isEqualTo("50");
    }

    @Test
    void whatIsNotKnownIsAnErrorThatSaysWhyAndNever0() throws Exception {
        for (String metric : ExternalMetric.names()) {
            JsonNode status = status(values("llm", metric, "pool=cold"), 503, "ServiceUnavailable");

            assertThat(status.get("message").asText()).as(metric).contains("pool cold", "NO_DATA");
        }
    }

    @Test
    void replicasOfSeveralPoolsAreNotAddedUp() throws Exception {
        JsonNode status = status(values("llm", "llm_desired_replicas", ""), 400, "BadRequest");

        assertThat(status.get("message").asText()).contains("2 pools match", "pool=NAME", "chat, cold");
    }

    @Test
    void badSelectorsGetTheWordsOfKubernetes() throws Exception {
        JsonNode status = status(values("llm", "llm_desired_replicas", "pool=chat,"), 400, "BadRequest");

        assertThat(status.get("message").asText()).isEqualTo("found '', expected: identifier after ','");
    }

    @Test
    void unknownNamesSayWhichThereAre() throws Exception {
        assertThat(status(values("llm", "llm_x", ""), 404, "NotFound")
                        .get("message")
                        .asText())
                .startsWith("the server could not find the metric llm_x for namespaces/llm")
                .contains("llm_desired_replicas");
        assertThat(status(values("nowhere", "llm_desired_replicas", ""), 404, "NotFound")
                        .get("message")
                        .asText())
                .startsWith("the server could not find the metric llm_desired_replicas for namespaces/nowhere")
                .contains("llm, other");
        assertThat(status(values("llm", "llm_desired_replicas", "pool=elsewhere"), 404, "NotFound")
                        .get("message")
                        .asText())
                .contains("with selector pool=elsewhere", "pool=chat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                V1BETA1 + "/llm_desired_replicas",
                V1BETA1 + "/namespaces/llm",
                V1BETA1 + "/namespaces/llm/a/b",
                "/apis/external.metrics.k8s.io/v1",
                "/apis/apps/v1"
            })
    void otherPathsAreNotFoundInPlainText(String path) throws Exception {
        HttpResponse<String> response = rest.get(path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).isEqualTo("404 page not found\n");
    }

    @Test
    void wrongMethodsAndWatchesAreNotAllowed() throws Exception {
        String path = V1BETA1 + "/namespaces/llm/llm_desired_replicas";
        status(rest.send(rest.request(path).DELETE()), 405, "MethodNotAllowed");
        status(
                rest.send(rest.request(V1BETA1).POST(HttpRequest.BodyPublishers.ofString("{}"))),
                405,
                "MethodNotAllowed");
        status(rest.get(path + "?watch=true"), 405, "MethodNotAllowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/vnd.kubernetes.protobuf, */*",
                "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
                "text/html",
                "application/yaml"
            })
    void whateverIsAcceptedTheAnswerIsJson(String accept) throws Exception {
        String query = "?labelSelector=pool%3Dchat&limit=500&timeout=30s&resourceVersion=0&pretty=true&watch=false";
        HttpResponse<String> response = rest.send(rest.request(V1BETA1 + "/namespaces/llm/llm_desired_replicas" + query)
                .header("Accept", accept));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(RestClient.parse(response.body()).get("kind").asText()).isEqualTo("ExternalMetricValueList");
    }

    @Test
    void kubectlGetsATableOfAllPoolsWithWhatIsNotKnown() throws Exception {
        JsonNode table =
                RestClient.parse(rest.send(rest.request(V1BETA1 + "/namespaces/llm/llm_desired_replicas?limit=500")
                                .header("Accept", TABLE))
                        .body());

        assertThat(table.get("kind").asText()).isEqualTo("Table");
        assertThat(table.get("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
        assertThat(table.get("columnDefinitions").findValuesAsText("name"))
                .containsExactly("Name", "Role", "Value", "Status");
        assertThat(table.at("/rows/0/cells/0").asText()).isEqualTo("chat");
        assertThat(table.at("/rows/0/cells/2").asText()).matches("\\d+");
        assertThat(table.at("/rows/1/cells/0").asText()).isEqualTo("cold");
        assertThat(table.at("/rows/1/cells/2").asText()).isEqualTo("<unknown>");
        assertThat(table.at("/rows/0/object/metadata/name").asText()).isEqualTo("chat");
    }

    @Test
    void clientsFindWhatTheyAskBesides() throws Exception {
        assertThat(RestClient.parse(rest.get("/version").body())
                        .get("gitVersion")
                        .asText())
                .startsWith("v1.");
        assertThat(rest.get("/openapi/v3").body()).isEqualTo("{\"paths\":{}}\n");
        assertThat(RestClient.parse(rest.get("/openapi/v2").body())
                        .get("swagger")
                        .asText())
                .isEqualTo("2.0");
        assertThat(rest.get("/healthz").body()).isEqualTo("ok");
        assertThat(rest.get("/readyz?verbose").body())
                .isEqualTo("[+]ping ok\n[+]planning ok\n[+]receiving ok\n[+]first-plan ok\nreadyz check passed\n");
        assertThat(rest.get("/readyz?verbose&exclude=ping&exclude=planning").body())
                .isEqualTo("[+]receiving ok\n[+]first-plan ok\nreadyz check passed\n");
        assertThat(rest.get("/livez/planning").body()).isEqualTo("ok");
        assertThat(rest.get("/livez/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void requestsAreCountedByRouteAndStatus() throws Exception {
        values("llm", "llm_desired_replicas", "(");

        assertThat(rest.get("/metrics").body())
                .containsPattern("fpm_planner_http_request_duration_seconds_count\\{method=\"GET\",route=\"" + V1BETA1
                        + "/namespaces/:namespace/:metric\",status=\"400\"}");
    }

    private static HttpResponse<String> values(String namespace, String metric, String selector) throws Exception {
        String query = "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
        return rest.get(V1BETA1 + "/namespaces/" + namespace + "/" + metric + query);
    }

    private static JsonNode status(HttpResponse<String> response, int code, String reason) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(code);
        JsonNode status = RestClient.parse(response.body());
        assertThat(status.get("kind").asText()).isEqualTo("Status");
        assertThat(status.get("status").asText()).isEqualTo("Failure");
        assertThat(status.get("reason").asText()).isEqualTo(reason);
        assertThat(status.get("code").asInt()).isEqualTo(code);
        return status;
    }
}
