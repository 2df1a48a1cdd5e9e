/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.sim.publish.ScheduledRequests;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes over a running service with one engine that has prefilled and decoded, and one pool nobody hears of. */
class WhatIfRoutesTest {
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
                    engine: {maxBatchedTokens: 2048, maxSequences: 64, kvCapacityTokens: 100000, contextTokens: 32000}
                    sources: ["%s"]
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                  - id: cold
                    sources: ["tcp://127.0.0.1:1"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config(), List.of());
        publisher.awaitSubscriber();
        rest = new RestClient(service.url());
        for (int i = 0; i < 300; i++) {
            long decodes = 4L + i % 12;
            publisher.sendStep("w", 0, new ScheduledRequests(1, 500, 0, 0, decodes, 600 * decodes, 0), 0.03);
            publisher.sendStep("w", 0, new ScheduledRequests(0, 0, 0, 0, decodes, 600 * decodes, 0), 0.02);
        }
        rest.await(
                "/v1/pools/chat/workload",
                d -> d.at("/workload/requestsPerSecond/value").isNumber());
        rest.await("/v1/pools/chat/model", d -> d.path("framesLearned").asInt() > 500);
    }

    @AfterAll
    static void stop() {
        service.close();
        publisher.close();
    }

    private static JsonNode ask(String body) throws Exception {
        HttpResponse<String> response = rest.post("/v1/pools/chat/what-if", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return RestClient.parse(response.body());
    }

    private static HttpResponse<String> put(String pool, String body) throws Exception {
        return rest.send(rest.request("/v1/pools/" + pool + "/workload")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
    }

    @Test
    void moreTrafficWaitsLongerAndMoreReplicasServeIt() throws Exception {
        String lengths = ", \"inputTokens\": {\"mean\": 500, \"standardDeviation\": 200}, \"outputTokens\": 50}";
        JsonNode calm = ask("{\"requestsPerSecond\": 2, \"replicas\": 2" + lengths);
        JsonNode busy = ask("{\"requestsPerSecond\": 10, \"replicas\": 2" + lengths);

        assertThat(calm.path("stable").asBoolean()).isTrue();
        assertThat(busy.at("/ttft/p90Seconds").asDouble())
                .isGreaterThan(calm.at("/ttft/p90Seconds").asDouble());
        assertThat(calm.at("/itl/p50Seconds").asDouble()).isBetween(0.01, 0.04);
        assertThat(busy.at("/pools/0/utilisation").asDouble())
                .isGreaterThan(calm.at("/pools/0/utilisation").asDouble());
        for (String latency : List.of("ttft", "itl")) {
            for (String percentile : List.of("p50Seconds", "p90Seconds", "p99Seconds")) {
                assertThat(calm.at("/" + latency + "/" + percentile).asDouble())
                        .isBetween(
                                calm.at("/" + latency + "Range/low/" + percentile)
                                        .asDouble(),
                                calm.at("/" + latency + "Range/high/" + percentile)
                                        .asDouble());
            }
        }
        assertThat(calm.at("/smallestFleet/replicas").asInt()).isEqualTo(1);
        assertThat(calm.path("highestSustainableRequestsPerSecond").asDouble()).isGreaterThan(2);
        assertThat(calm.at("/workload/inputTokens/mean").asDouble()).isEqualTo(500);
    }

    @Test
    void aFloodIsUnstableAndHasNoLatency() throws Exception {
        JsonNode flood = ask("{\"requestsPerSecond\": 500, \"replicas\": 1, \"inputTokens\": 500, \"outputTokens\": 10,"
                + " \"limits\": {\"maxSequences\": 16}, \"search\": false}");

        assertThat(flood.path("stable").asBoolean()).isFalse();
        assertThat(flood.path("ttft").isNull()).isTrue();
        assertThat(flood.at("/pools/0/utilisation").asDouble()).isGreaterThan(1);
        assertThat(flood.at("/attainment/both").asDouble()).isZero();
        assertThat(flood.has("smallestFleet")).isFalse();
    }

    @Test
    void aCurveSharesTheStepsAmongItsPoints() throws Exception {
        String curve = "{\"rates\": [%s], \"inputTokens\": 700, \"outputTokens\": 2,"
                + " \"limits\": {\"maxBatchedTokens\": 1}}";
        String many = IntStream.rangeClosed(1, 64).mapToObj(Integer::toString).collect(Collectors.joining(","));

        HttpResponse<String> refused = rest.post("/v1/pools/chat/what-if/curve", curve.formatted(many));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(RestClient.parse(refused.body()).at("/allowed/minimum").asText())
                .isEqualTo("3");
        assertThat(rest.post("/v1/pools/chat/what-if/curve", curve.formatted("1"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void stepsFarLargerThanSeenAreRefusedWithTheBound() throws Exception {
        HttpResponse<String> response = rest.post(
                "/v1/pools/chat/what-if",
                "{\"requestsPerSecond\": 60, \"replicas\": 1, \"inputTokens\": 20, \"outputTokens\": 100}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(RestClient.parse(response.body()).at("/extrapolation/bound").asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'requestsPerSecond': -1} | requestsPerSecond",
                "{'requestsPerSecond': 0} | requestsPerSecond",
                "{'requestsPerSecond': 'NaN'} | requestsPerSecond",
                "{'requestsPerSecond': 1e400} | requestsPerSecond",
                "{'requestsPerSecond': 2000000} | requestsPerSecond",
                "{'requestsPerSecond': 5, 'burstiness': 0} | burstiness",
                "{'requestsPerSecond': 5, 'replicas': -1} | replicas",
                "{'requestsPerSecond': 5, 'replicas': 1.5} | replicas",
                "{'requestsPerSecond': 5, 'replicas': 9000} | replicas",
                "{'requestsPerSecond': 5, 'outputTokens': 0} | outputTokens",
                "{'requestsPerSecond': 5, 'inputTokens': -1} | inputTokens",
                "{'requestsPerSecond': 5, 'inputTokens': {'mean': 500, 'standardDeviation': -1}} | inputTokens.standardDeviation",
                "{'requestsPerSecond': 5, 'inputTokens': {'histogram': [{'upToTokens': 0, 'weight': 1}]}} | inputTokens.histogram[0].upToTokens",
                "{'requestsPerSecond': 5, 'inputTokens': 31900, 'outputTokens': 200} | inputTokens",
                "{'requestsPerSecond': 5, 'transferSeconds': -1} | transferSeconds",
                "{'requestsPerSecond': 5, 'transferSeconds': 1} | transferSeconds",
                "{'requestsPerSecond': 5, 'inputTokens': 100, 'outputTokens': 40000} | outputTokens",
                "{'requestsPerSecond': 5, 'inputTokens': {'mean': 5, 'histogram': [{'upToTokens': 9, 'weight': 1}]}} | inputTokens",
                "{'requestsPerSecond': 'many'} | requestsPerSecond",
                "{'requestsPerSecond': 5, 'replicas': 0} | replicas",
                "{'requestsPerSecond': 5, 'inputTokens': 0} | inputTokens",
                "{'requestsPerSecond': 5, 'outputTokens': {'mean': 0}} | outputTokens.mean",
                "{'requestsPerSecond': 5, 'inputTokens': {'histogram': []}} | inputTokens.histogram",
                "{'requestsPerSecond': 5, 'inputTokens': 99000, 'outputTokens': 9000} | inputTokens",
                "{'requestsPerSecond': 5, 'cachedShare': 1} | cachedShare",
                "{'requestsPerSecond': 5, 'decodePool': 'cold'} | decodePool",
                "{'requestsPerSecond': 5, 'decodeReplicas': 2} | decodeReplicas",
                "{'requestsPerSecond': 5, 'routing': 'best'} | routing",
                "{'requestsPerSecond': 5, 'limits': {'maxSequences': 0}} | limits.maxSequences",
                "{'requestsPerSecond': 1, 'inputTokens': 30000, 'outputTokens': 2, 'limits': {'maxBatchedTokens': 2}} | limits.maxBatchedTokens",
                "{'requestsPerSecond': 1, 'inputTokens': 16000000, 'outputTokens': 2} | inputTokens",
                "{'requestsPerSecond': 5, 'slo': {'attainment': 2}} | slo.attainment",
                "{'requestsPerSecond': 5, 'rate': 2} | rate",
            })
    void badQuestionsNameTheField(String body, String field) throws Exception {
        HttpResponse<String> response = rest.post("/v1/pools/chat/what-if", body.replace('\'', '"'));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(RestClient.parse(response.body()).path("field").asText()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "what-if | {'requestsPerSecond': -1} | 1.0E-6 | 1000000",
                "what-if | {'requestsPerSecond': 5, 'replicas': 0} | 1 | 8192",
                "what-if | {'requestsPerSecond': 5, 'inputTokens': 0} | 1 | 16777216",
                "what-if | {'requestsPerSecond': 5, 'inputTokens': 40000} | 1 | 32000",
                "what-if | {'requestsPerSecond': 1, 'inputTokens': 30000, 'outputTokens': 2, 'limits': {'maxBatchedTokens': 2}} | 30 | 16777216",
                "predictions | {'inputTokens': 0} | 1 | 32000",
                "predictions | {'inputTokens': 32001} | 1 | 32000",
                "predictions | {'inputTokens': 500, 'cachedTokens': 501} | 0 | 500",
            })
    void badNumbersAreToldTheRange(String route, String body, String least, String most) throws Exception {
        HttpResponse<String> response = rest.post("/v1/pools/chat/" + route, body.replace('\'', '"'));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        JsonNode allowed = RestClient.parse(response.body()).path("allowed");
        assertThat(allowed.path("minimum").asText()).isEqualTo(least);
        assertThat(allowed.path("maximum").asText()).isEqualTo(most);
    }

    @Test
    void aCurveHasThePointsOfSingleQuestions() throws Exception {
        String rest = "\"inputTokens\": 500, \"outputTokens\": 50}";
        HttpResponse<String> response = WhatIfRoutesTest.rest.post(
                "/v1/pools/chat/what-if/curve", "{\"rates\": [2, 6, 400], \"replicaCounts\": [1, 2], " + rest);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode points = RestClient.parse(response.body()).path("points");
        assertThat(points).hasSize(6);
        JsonNode single = ask("{\"requestsPerSecond\": 6, \"replicas\": 2, \"search\": false, " + rest);
        JsonNode same = points.get(4);
        assertThat(same.path("requestsPerSecond").asDouble()).isEqualTo(6);
        assertThat(same.path("replicas").asInt()).isEqualTo(2);
        assertThat(same.path("decodeReplicas").isNull()).isTrue();
        assertThat(same.at("/ttft/p90Seconds").asDouble())
                .isCloseTo(single.at("/ttft/p90Seconds").asDouble(), within(1e-9));
        assertThat(same.at("/attainment/both")).isEqualTo(single.at("/attainment/both"));
        assertThat(points.get(0).at("/ttft/p90Seconds").asDouble())
                .isLessThan(points.get(1).at("/ttft/p90Seconds").asDouble());
        assertThat(points.get(5).path("tooFar").asBoolean()).isTrue();
        assertThat(points.get(5).path("stable").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'replicas': 2} | rates or replicaCounts",
                "{'rates': []} | rates must be a list of 1 to 64",
                "{'rates': [1, -1]} | rates[1]",
                "{'rates': 5} | rates must be a list",
                "{'replicaCounts': [1.5], 'requestsPerSecond': 2} | replicaCounts",
                "{'replicaCounts': [0], 'requestsPerSecond': 2} | replicaCounts[0]",
                "{'rates': [1,2,3,4,5,6,7,8,9], 'replicaCounts': [1,2,3,4,5,6,7,8]} | at most 64 points",
                "{'rates': [1], 'search': true} | search",
                "{'rates': [1], 'requestsPerSecond': 2} | either rates or requestsPerSecond",
                "{'rates': [1], 'replicaCounts': [1], 'replicas': 2} | either replicaCounts or replicas",
            })
    void badCurvesAreRefused(String body, String detail) throws Exception {
        HttpResponse<String> response = rest.post("/v1/pools/chat/what-if/curve", body.replace('\'', '"'));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(RestClient.parse(response.body()).path("detail").asText()).contains(detail);
    }

    @Test
    void aNumberThatIsNoneIsNoJson() throws Exception {
        for (String route : List.of("what-if", "predictions")) {
            HttpResponse<String> response = rest.post("/v1/pools/chat/" + route, "{\"requestsPerSecond\": NaN}");
            assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        }
    }

    @Test
    void aLittleBeyondWhatWasSeenIsAnsweredWithHowFarAndHowFarAnswersGo() throws Exception {
        JsonNode question =
                ask("{\"requestsPerSecond\": 8, \"replicas\": 1, \"inputTokens\": 20, \"outputTokens\": 100}");
        JsonNode now = RestClient.parse(rest.post("/v1/pools/chat/predictions", "{\"inputTokens\": 800}")
                .body());

        for (JsonNode answer : List.of(question, now)) {
            assertThat(answer.path("evidence").asText()).as(answer.toString()).isEqualTo("EXTRAPOLATING");
            assertThat(answer.at("/extrapolation/factor").asDouble())
                    .isGreaterThan(1)
                    .isLessThanOrEqualTo(2);
            assertThat(answer.at("/extrapolation/bound").asInt()).isEqualTo(2);
        }
    }

    @Test
    void aPromptThatFillsStepsFarLargerThanSeenIsRefusedWithTheBound() throws Exception {
        HttpResponse<String> response = rest.post("/v1/pools/chat/predictions", "{\"inputTokens\": 5000}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(RestClient.parse(response.body()).at("/extrapolation/bound").asInt())
                .isEqualTo(2);
        assertThat(RestClient.parse(response.body()).at("/extrapolation/factor").asDouble())
                .isGreaterThan(2);
    }

    @Test
    void llmdsPredictorIsAskedWithinTheSameBounds() throws Exception {
        String pod = "{\"kv_cache_percentage\": 0.02, \"input_token_length\": %d, \"num_request_waiting\": 0,"
                + " \"num_request_running\": %d, \"num_tokens_generated\": 4, \"prefix_cache_score\": 0}";
        assertThat(rest.post("/v1/pools/chat/llm-d/predict", pod.formatted(500, 8))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> tooLong = rest.post("/v1/pools/chat/llm-d/predict", pod.formatted(40_000, 8));
        assertThat(tooLong.statusCode()).isEqualTo(400);
        assertThat(tooLong.body()).contains("input_token_length", "32000");
        HttpResponse<String> tooFar = rest.post("/v1/pools/chat/llm-d/predict", pod.formatted(500, 60));
        assertThat(tooFar.statusCode()).isEqualTo(422);
        JsonNode bulk = RestClient.parse(rest.post(
                        "/v1/pools/chat/llm-d/predict/bulk",
                        "{\"requests\": [" + pod.formatted(500, 8) + "," + pod.formatted(500, 60) + "]}")
                .body());
        assertThat(bulk.path("failed_predictions").asInt()).isEqualTo(1);
    }

    @Test
    void aColdPoolSaysWhatIsMissing() throws Exception {
        for (String question : List.of("what-if|{\"requestsPerSecond\": 5}", "predictions|{\"inputTokens\": 5}")) {
            String[] parts = question.split("\\|", -1);
            HttpResponse<String> response = rest.post("/v1/pools/cold/" + parts[0], parts[1]);

            assertThat(response.statusCode()).isEqualTo(409);
            JsonNode regimes = RestClient.parse(response.body()).path("regimes");
            assertThat(regimes).hasSize(3).allSatisfy(regime -> {
                assertThat(regime.path("frames").asInt()).isZero();
                assertThat(regime.path("framesNeeded").asInt()).isPositive();
            });
        }
    }

    @Test
    void aSuppliedWorkloadWinsUntilItIsWithdrawn() throws Exception {
        assertThat(put("cold", "{\"requestsPerSecond\": 12.5, \"inputTokens\": 900, \"outputTokens\": 100}")
                        .statusCode())
                .isEqualTo(200);
        JsonNode supplied = rest.await(
                "/v1/pools/cold/workload",
                d -> d.at("/workload/requestsPerSecond/origin").asText().equals("SUPPLIED"));
        assertThat(supplied.at("/workload/requestsPerSecond/value").asDouble()).isEqualTo(12.5);
        assertThat(supplied.at("/workload/inputTokens/value").asDouble()).isEqualTo(900);
        assertThat(supplied.at("/workload/cachedShare/value").isNull()).isTrue();

        assertThat(rest.send(rest.request("/v1/pools/cold/workload").DELETE()).statusCode())
                .isEqualTo(204);
        JsonNode withdrawn = rest.await(
                "/v1/pools/cold/workload",
                d -> d.at("/workload/requestsPerSecond/origin").asText().equals("UNKNOWN"));
        assertThat(withdrawn.at("/workload/requestsPerSecond/value").isNull()).isTrue();
    }

    @Test
    void answersOfOneTokenHaveNoTimeBetweenTokens() throws Exception {
        JsonNode one = ask("{\"requestsPerSecond\": 2, \"replicas\": 2, \"inputTokens\": 500, \"outputTokens\": 1}");

        assertThat(one.path("stable").asBoolean()).isTrue();
        assertThat(one.at("/ttft/p90Seconds").asDouble()).isBetween(0.01, 1.0);
        assertThat(one.path("itl").isNull()).isTrue();
        assertThat(one.path("requestItl").isNull()).isTrue();
        assertThat(one.at("/attainment/itl").isNull()).isTrue();
        assertThat(one.at("/attainment/both").asDouble())
                .isEqualTo(one.at("/attainment/ttft").asDouble());
        assertThat(one.path("highestSustainableRequestsPerSecond").asDouble()).isGreaterThan(2);
    }

    @Test
    void aPoolThatAlwaysMixesDoesNotStayWarmingForWantOfStepsOfPromptsAlone() throws Exception {
        JsonNode now = RestClient.parse(rest.post("/v1/pools/chat/predictions", "{\"inputTokens\": 500}")
                .body());
        assertThat(now.path("evidence").asText()).isIn("READY", "EXTRAPOLATING");
        JsonNode busy = ask("{\"requestsPerSecond\": 6, \"replicas\": 1, \"inputTokens\": 500, \"outputTokens\": 50}");
        assertThat(busy.path("evidence").asText()).isIn("READY", "EXTRAPOLATING");
    }

    @Test
    void badWorkloadsAreRefused() throws Exception {
        HttpResponse<String> nothing = put("cold", "{}");
        assertThat(nothing.statusCode()).isEqualTo(400);
        assertThat(nothing.body()).contains("requestsPerSecond, inputTokens, outputTokens, cachedShare");
        assertThat(put("cold", "{\"validSeconds\": 60}").statusCode()).isEqualTo(400);
        assertThat(put("cold", "{\"requestsPerSecond\": -2}").statusCode()).isEqualTo(400);
        assertThat(put("cold", "{\"inputTokens\": 0}").statusCode()).isEqualTo(400);
        assertThat(put("absent", "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void observationsAreScoredUnlessNothingWasPredictedThenOrTheyLieInTheFuture() throws Exception {
        HttpResponse<String> taken = rest.post(
                "/v1/pools/chat/observations",
                "{\"observations\": [{\"ttftSeconds\": 0.001}, {\"itlSeconds\": 0.021}, {\"ttftSeconds\": 0.1,"
                        + " \"arrivedAt\": \"2001-01-01T00:00:00Z\"}, {\"ttftSeconds\": 0.1, \"arrivedAt\":"
                        + " \"2199-01-01T00:00:00Z\"}]}");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        JsonNode counts = RestClient.parse(taken.body());
        assertThat(counts.path("accepted").asInt()).isEqualTo(2);
        assertThat(counts.path("refused").asInt()).isEqualTo(2);
        assertThat(counts.path("unpredicted").asInt()).isEqualTo(1);
        assertThat(counts.path("inFuture").asInt()).isEqualTo(1);

        JsonNode scores = rest.await(
                "/v1/pools/chat/calibration", d -> d.at("/observationsRefused").asInt() == 2);
        assertThat(scores.at("/ttftObserved/count").asInt()).isEqualTo(1);
        assertThat(scores.at("/ttftObserved/seenSeconds").asDouble()).isEqualTo(0.001);
        assertThat(scores.at("/itlObserved/error").asDouble()).isBetween(0.0, 1.0);
        assertThat(scores.at("/itlObserved/within90").isNull()).isTrue();
        assertThat(rest.post("/v1/pools/chat/observations", "{\"observations\": [{}]}")
                        .statusCode())
                .isEqualTo(400);
        String metrics = rest.get("/metrics").body();
        assertThat(metrics)
                .contains("fpm_planner_predictions_scored_total{latency=\"ttft_observed\",pool=\"chat\"} 1.0")
                .contains("fpm_planner_prediction_bias_ratio{latency=\"ttft_observed\",pool=\"chat\"}")
                .contains("fpm_planner_observations_refused_total{pool=\"chat\"} 2.0");
    }
}
