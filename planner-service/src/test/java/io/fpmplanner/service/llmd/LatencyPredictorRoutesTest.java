/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.llmd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import java.net.http.HttpResponse;
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
import org.junit.jupiter.params.provider.ValueSource;

/** What llm-d's endpoint picker sends, against a service that starts from a prior. */
class LatencyPredictorRoutesTest {
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
                    prior: vllm-0.20.1-b300-qwen3-32b-tp1
                    engine: {maxBatchedTokens: 2048, kvCapacityTokens: 400000}
                    sources: ["%s"]
                  - id: cold
                    sources: ["tcp://127.0.0.1:1"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config());
        rest = new RestClient(service.url());
    }

    @AfterAll
    static void stop() {
        service.close();
        publisher.close();
    }

    private static String pod(double kv, int input, int waiting, int running, double prefix) {
        return """
                {"kv_cache_percentage": %s, "input_token_length": %d, "num_request_waiting": %d,
                 "num_request_running": %d, "num_tokens_generated": 4, "prefix_cache_score": %s,
                 "pod_type": "", "encoder_size": 3}
                """.formatted(kv, input, waiting, running, prefix);
    }

    private static JsonNode predict(String pod) throws Exception {
        return RestClient.parse(rest.post("/v1/pools/chat/llm-d/predict", pod).body());
    }

    @Test
    void aPredictionHasTheFieldsOfLlmds() throws Exception {
        JsonNode one = predict(pod(0.2, 800, 0, 8, 0));

        assertThat(one.properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "ttft_ms",
                        "tpot_ms",
                        "predicted_at",
                        "model_type",
                        "objective_type",
                        "quantile",
                        "last_model_load");
        assertThat(one.get("ttft_ms").asDouble()).isBetween(1.0, 10_000.0);
        assertThat(one.get("tpot_ms").asDouble()).isBetween(1.0, 1_000.0);
    }

    @Test
    void moreWorkTakesLongerAndACachedPrefixLess() throws Exception {
        double free = predict(pod(0.1, 2_000, 0, 4, 0)).get("ttft_ms").asDouble();
        double queued = predict(pod(0.1, 2_000, 6, 4, 0)).get("ttft_ms").asDouble();
        double cached = predict(pod(0.1, 2_000, 0, 4, 0.9)).get("ttft_ms").asDouble();
        double light = predict(pod(0.05, 500, 0, 4, 0)).get("tpot_ms").asDouble();
        double heavy = predict(pod(0.9, 500, 0, 128, 0)).get("tpot_ms").asDouble();

        assertThat(queued).isGreaterThan(2 * free);
        assertThat(cached).isLessThan(free);
        assertThat(heavy).isGreaterThan(light);
    }

    @Test
    void manyAreAnsweredAtOnce() throws Exception {
        String both = "{\"requests\": [" + pod(0.2, 800, 0, 8, 0) + ", {\"num_request_waiting\": 1}]}";

        JsonNode lenient = RestClient.parse(
                rest.post("/v1/pools/chat/llm-d/predict/bulk", both).body());
        HttpResponse<String> strict = rest.post("/v1/pools/chat/llm-d/predict/bulk/strict", both);
        HttpResponse<String> good = rest.post(
                "/v1/pools/chat/llm-d/predict/bulk/strict", "{\"requests\": [" + pod(0.2, 800, 0, 8, 0) + "]}");

        assertThat(lenient.get("successful_predictions").asInt()).isEqualTo(1);
        assertThat(lenient.at("/predictions/1").isNull()).isTrue();
        assertThat(lenient.at("/errors/0/index").asInt()).isEqualTo(1);
        assertThat(strict.statusCode()).isEqualTo(400);
        assertThat(good.statusCode()).isEqualTo(200);
        assertThat(RestClient.parse(good.body()).get("total_requests").asInt()).isEqualTo(1);
    }

    @Test
    void measuredLatenciesAreTakenWith202AndScored() throws Exception {
        HttpResponse<String> taken = rest.post(
                "/v1/pools/chat/llm-d/add_training_data_bulk",
                "{\"entries\": [{\"actual_ttft_ms\": 120.5, \"actual_tpot_ms\": 20.1, \"kv_cache_percentage\": 0.1}]}");

        assertThat(taken.statusCode()).isEqualTo(202);
        assertThat(rest.json("/v1/pools/chat/llm-d/model/download/info")
                        .get("model_type")
                        .asText())
                .isEqualTo("xgboost");
    }

    @Test
    void whatWasNotLearnedIsNotMadeUp() throws Exception {
        assertThat(rest.json("/v1/pools/cold/llm-d/status").get("is_ready").asBoolean())
                .isFalse();
        assertThat(rest.get("/v1/pools/cold/llm-d/readyz").statusCode()).isEqualTo(503);
        assertThat(rest.post("/v1/pools/cold/llm-d/predict", pod(0.2, 800, 0, 8, 0))
                        .statusCode())
                .isEqualTo(503);
        assertThat(rest.get("/v1/pools/chat/llm-d/readyz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"kv_cache_percentage\": 2}", "{\"kv_cache_percentage\": \"much\"}"})
    void badQuestionsAreRefused(String body) throws Exception {
        assertThat(rest.post("/v1/pools/chat/llm-d/predict", body).statusCode()).isEqualTo(400);
        assertThat(rest.post("/v1/pools/chat/llm-d/predict/bulk", body).statusCode())
                .isEqualTo(400);
    }
}
