/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wrong request gets a problem document (RFC 9457) with the right status. */
class RestErrorsTest {
    private static final String PREDICTIONS = "/v1/pools/chat/predictions";
    private static PlannerService service;
    private static RestClient rest;

    @BeforeAll
    static void start() throws Exception {
        service = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0"))
                .config());
        rest = new RestClient(service.url());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/pools/other",
                "/v1/pools/other/recommendation",
                "/v1/pools/other/workers",
                "/v1/pools/other/model",
                "/v2/pools",
                "/v1",
                "/v1/pools/chat/nothing",
                "/v1/pools/%00",
                "/index.php",
            })
    void whatIsNotThereIsA404(String path) throws Exception {
        problem(rest.get(path), 404);
    }

    @Test
    void anUnknownPoolNamesTheKnownOnes() throws Exception {
        assertThat(problem(rest.get("/v1/pools/other"), 404).get("detail").asText())
                .contains("'other'", "chat");
        assertThat(problem(rest.post("/v1/pools/other/predictions", "{\"inputTokens\":1}"), 404)
                        .get("detail")
                        .asText())
                .contains("'other'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /v1/pools | GET, HEAD",
                "DELETE | /v1/pools/chat | GET, HEAD",
                "PUT | /v1/pools/chat/recommendation | GET, HEAD",
                "POST | /metrics | GET, HEAD",
                "POST | /readyz | GET, HEAD",
                "POST | / | GET, HEAD",
                "GET | /v1/pools/chat/predictions | POST",
                "OPTIONS | /v1/pools/chat/predictions | POST",
            })
    void aWrongMethodIsA405ThatSaysWhichAreRight(String method, String path, String allowed) throws Exception {
        HttpResponse<String> response =
                rest.send(rest.request(path).method(method, HttpRequest.BodyPublishers.noBody()));

        problem(response, 405);
        assertThat(response.headers().firstValue("Allow")).hasValue(allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | inputTokens",
                "{\"cachedTokens\": 1} | inputTokens",
                "{\"inputTokens\": null} | inputTokens",
                "{\"inputTokens\": \"100\"} | inputTokens",
                "{\"inputTokens\": 1.5} | inputTokens",
                "{\"inputTokens\": true} | inputTokens",
                "{\"inputTokens\": [1]} | inputTokens",
                "{\"inputTokens\": 0} | inputTokens",
                "{\"inputTokens\": -5} | inputTokens",
                "{\"inputTokens\": 99999999999999999999999} | inputTokens",
                "{\"inputTokens\": 100000000} | inputTokens",
                "{\"inputTokens\": 10, \"cachedTokens\": 11} | cachedTokens",
                "{\"inputTokens\": 10, \"cachedTokens\": -1} | cachedTokens",
                "{\"inputTokens\": 10, \"cachedTokens\": {}} | cachedTokens",
                "{\"inputTokens\": 10, \"workerId\": 7} | workerId",
                "{\"inputTokens\": 10, \"inputToken\": 7} | inputToken",
            })
    void aBadFieldIsNamed(String body, String field) throws Exception {
        JsonNode problem = problem(rest.post(PREDICTIONS, body), 400);

        assertThat(problem.path("field").asText()).isEqualTo(field);
        assertThat(problem.get("detail").asText()).startsWith(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[]",
                "null",
                "7",
                "\"x\"",
                "{\"inputTokens\": NaN}",
                "{\"inputTokens\": 1,}",
                "{\"inputTokens\": 1, \"inputTokens\": 2}",
                "{\"inputTokens\": 1} x",
                "inputTokens=1",
            })
    void aBodyThatIsNoJsonObjectIsA400(String body) throws Exception {
        assertThat(problem(rest.post(PREDICTIONS, body), 400).get("detail").asText())
                .startsWith("the body");
    }

    @Test
    void aDeeplyNestedBodyIsA400() throws Exception {
        problem(rest.post(PREDICTIONS, "[".repeat(20_000)), 400);
    }

    @Test
    void aColdModelIsA409WithTheProgressOfEachRegime() throws Exception {
        JsonNode problem = problem(rest.post(PREDICTIONS, "{\"inputTokens\": 100}"), 409);

        assertThat(problem.get("regimes")).hasSize(3);
        problem.get("regimes").forEach(regime -> {
            assertThat(regime.get("frames").asLong()).isZero();
            assertThat(regime.get("framesNeeded").asLong()).isPositive();
            assertThat(regime.get("evidence").asText()).isEqualTo("COLD");
        });
    }

    @Test
    void aLargeBodyIsA413() throws Exception {
        problem(rest.post(PREDICTIONS, "{\"inputTokens\": 100, \"workerId\": \"" + "x".repeat(70_000) + "\"}"), 413);
    }

    @Test
    void anotherContentTypeOrNoneIsA415() throws Exception {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("{\"inputTokens\": 100}");
        problem(rest.send(rest.request(PREDICTIONS).POST(body)), 415);
        problem(
                rest.send(rest.request(PREDICTIONS)
                        .header("Content-Type", "text/plain")
                        .POST(body)),
                415);
        problem(
                rest.send(rest.request(PREDICTIONS)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(body)),
                415);
        problem(
                rest.send(rest.request(PREDICTIONS)
                        .header("Content-Type", "Application/JSON; charset=utf-8")
                        .POST(body)),
                409);
    }

    @Test
    void whateverIsAcceptedTheAnswerIsJson() throws Exception {
        HttpResponse<String> response = rest.send(
                rest.request("/v1/pools").header("Accept", "text/html").GET());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-cache");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/pools", "/v1/pools/chat", "/metrics", "/readyz", "/healthz", "/livez", "/"})
    void headAnswersLikeGetWithoutABody(String path) throws Exception {
        HttpResponse<String> head = rest.send(rest.request(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void beforeTheFirstFrameNothingIsZeroThatIsNotKnown() throws Exception {
        JsonNode pool = rest.json("/v1/pools").at("/pools/0");
        for (String field : List.of("desiredReplicas", "currentReplicas", "predicted", "load", "dataAgeSeconds")) {
            assertThat(pool.has(field)).as(field).isTrue();
            assertThat(pool.get(field).isNull()).as(field).isTrue();
        }
        assertThat(pool.get("status").asText()).isEqualTo("UNDECIDED");
        assertThat(pool.get("reason").asText()).isEqualTo("NO_DATA");
        JsonNode recommendation = rest.json("/v1/pools/chat/recommendation");
        for (String field : List.of("desiredReplicas", "readyReplicas", "pendingReplicas", "demand", "capacity")) {
            assertThat(recommendation.get(field).isNull()).as(field).isTrue();
        }
        String metrics = rest.get("/metrics").body();
        assertThat(metrics)
                .doesNotContain(
                        "desired_replicas{", "current_replicas{", "predicted_ttft_seconds{", "data_age_seconds{")
                .doesNotContain("NaN");
    }

    @Test
    void healthNamesItsChecks() throws Exception {
        assertThat(rest.get("/healthz").body()).isEqualTo("ok");
        assertThat(rest.get("/livez?verbose").body()).contains("[+]planning ok", "livez check passed");
        assertThat(rest.get("/readyz?verbose").body())
                .contains("[+]first-plan ok", "[+]receiving ok", "readyz check passed");
    }

    @Test
    void openMetricsIsServedWhenAskedFor() throws Exception {
        HttpResponse<String> response = rest.send(rest.request("/metrics")
                .header("Accept", "application/openmetrics-text; version=1.0.0")
                .GET());

        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/openmetrics-text");
        assertThat(response.body()).endsWith("# EOF\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "NONSENSE\r\n\r\n",
            })
    void aMalformedRequestIsA400AndHarmsNobody(String request) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            InputStream in = socket.getInputStream();
            String answer = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(answer).matches("HTTP/1.[01] (400|501|505)|");
        }
        assertThat(rest.get("/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /v1/pools HTTP/1.1~~ | 400",
                "POST /v1/pools/chat/predictions HTTP/1.1~Content-Type: application/json~Content-Length: 2~~{} | 400",
                "NONSENSE~~ | 400",
                "GET /LONG HTTP/1.1~Host: x~~ | 414",
                "GET / HTTP/1.1~Host: x~X: LONG~~ | 431",
            })
    void aFaultOfTheClientIsAProblemDocumentOfTheFourHundreds(String request, int status) throws Exception {
        String raw = request.replace("~", "\r\n").replace("LONG", "x".repeat(20_000));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(raw.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            StringBuilder answer = new StringBuilder();
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                answer.append((char) next);
                if (answer.indexOf("}") >= 0) {
                    break;
                }
            }
            assertThat(answer.toString())
                    .matches("(?s)HTTP/1.[01] " + status + " .*")
                    .containsIgnoringCase("content-type: application/problem+json")
                    .contains("\"status\":" + status);
        }
        assertThat(rest.get("/metrics").body())
                .containsPattern(
                        "fpm_planner_http_request_duration_seconds_count\\{method=\"other\",route=\"unreadable\","
                                + "status=\"" + status + "\"} [1-9]");
    }

    @Test
    void aBadChunkClosesTheConnectionAndHarmsNobody() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("POST " + PREDICTIONS + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).matches("(?s)(HTTP/1.[01] 400 .*)?");
        }
        assertThat(rest.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatLeavesInTheMiddleOfItsBodyHarmsNobody() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            socket.getOutputStream()
                    .write(("POST " + PREDICTIONS + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 100\r\n\r\n{")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }
        assertThat(rest.get("/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"inputTokens\": 1} {} | something follows the object",
                "{\"inputTokens\": 1 | it is malformed at line 1",
                "{\"inputTokens\": NaN} | it is malformed at line 1",
                "{\"inputTokens\": 1, \"inputTokens\": 2} | the field 'inputTokens' appears twice",
                "DEEP | nested too deeply",
            })
    void whatIsWrongWithABodyIsSaidWithoutTheParsersOwnNames(String body, String expected) throws Exception {
        String detail = problem(rest.post(PREDICTIONS, body.replace("DEEP", "[".repeat(5_000))), 400)
                .get("detail")
                .asText();

        assertThat(detail).contains(expected).doesNotContain("Feature", "jackson", "Source", "Constraints");
    }

    private static JsonNode problem(HttpResponse<String> response, int status) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        JsonNode document = RestClient.parse(response.body());
        assertThat(document.get("status").asInt()).isEqualTo(status);
        for (String member : List.of("type", "title", "detail", "instance")) {
            assertThat(document.path(member).asText()).as(member).isNotEmpty();
        }
        return document;
    }
}
