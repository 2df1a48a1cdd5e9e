/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryRoutesTest {
    private final TestPublisher publisher = new TestPublisher();
    private PlannerService service;
    private RestClient rest;

    @BeforeEach
    void start() throws Exception {
        service = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", publisher.endpoint()),
                        List.of("http.port=0", "tickSeconds=0.1"))
                .config());
        publisher.awaitSubscriber();
        rest = new RestClient(service.url());
    }

    @AfterEach
    void stop() {
        service.close();
        publisher.close();
    }

    @Test
    void whatHappenedIsToldStepByStep() throws Exception {
        sendUntil("/v1/pools/chat/history?seconds=60", d -> hasNumber(d.at("/series/runningRequests"), 8));
        rest.post("/v1/pools/chat/observations", "{\"observations\": [{\"ttftSeconds\": 0.25}]}");
        sendUntil("/v1/pools/chat/history?seconds=60", d -> hasNumber(d.at("/series/ttftObservedP50Seconds"), 0.25));

        JsonNode all = rest.json("/v1/pools/chat/history?seconds=60");
        JsonNode some = rest.json("/v1/pools/chat/history?seconds=60&series=readyReplicas,itlP90Seconds&since="
                + (long) (1_000
                        * all.get("times").get(all.get("times").size() - 1).asDouble()));

        assertThat(all.get("times")).hasSameSizeAs(all.at("/series/itlFromFramesSeconds"));
        assertThat(all.at("/decisions/0/reason").asText()).isEqualTo("NO_DATA");
        assertThat(some.get("series").size()).isEqualTo(2);
        assertThat(some.get("times").size()).isBetween(1, all.get("times").size());
        JsonNode later = rest.json("/v1/pools/chat/history?since=" + Long.MAX_VALUE / 2);
        assertThat(later.get("times")).isEmpty();
        assertThat(later.get("decisions")).isEmpty();
    }

    @Test
    void stepsAreSampledAsPredictedAndMeasured() throws Exception {
        JsonNode document =
                sendUntil("/v1/pools/chat/steps", d -> d.at("/regimes/1/times").size() >= 5);

        JsonNode decode = document.at("/regimes/1");
        assertThat(decode.get("regime").asText()).isEqualTo("DECODE");
        assertThat(decode.get("measuredSeconds").get(0).asDouble()).isEqualTo(0.02);
        assertThat(decode.get("predictedSeconds")).hasSameSizeAs(decode.get("times"));
        assertThat(decode.get("lowSeconds").get(4).asDouble())
                .isLessThanOrEqualTo(decode.get("highSeconds").get(4).asDouble());
    }

    @Test
    void inputsAreSummedAndWhatIsNoFrameIsShown() throws Exception {
        publisher.sendPayload("no frame".getBytes(StandardCharsets.US_ASCII));
        JsonNode inputs = sendUntil(
                "/v1/inputs",
                d -> !d.at("/pools/0/rejectSamples").isEmpty()
                        && d.at("/pools/0/ranks/LIVE").asInt() == 1);

        JsonNode chat = inputs.at("/pools/0");
        assertThat(chat.at("/endpoints/CONNECTED").asInt()).isEqualTo(1);
        assertThat(chat.get("newestFrameAgeSeconds").isNumber()).isTrue();
        JsonNode sample = chat.at("/rejectSamples/0");
        assertThat(sample.get("prefix").asText()).isEqualTo("6e6f206672616d65");
        assertThat(sample.get("bytes").asInt()).isEqualTo(8);
        assertThat(chat.get("rejected").get(sample.get("reason").asText()).asInt())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seconds=0",
                "seconds=21601",
                "seconds=ten",
                "since=-1",
                "series=",
                "series=readyReplicas,nothing"
            })
    void badQuestionsNameTheField(String query) throws Exception {
        var response = rest.get("/v1/pools/chat/history?" + query);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(RestClient.parse(response.body()).get("field").asText())
                .isEqualTo(query.substring(0, query.indexOf('=')));
    }

    @Test
    void unknownPoolsAreNotFound() throws Exception {
        assertThat(rest.get("/v1/pools/absent/history").statusCode()).isEqualTo(404);
        assertThat(rest.get("/v1/pools/absent/steps").statusCode()).isEqualTo(404);
    }

    private JsonNode sendUntil(String path, Predicate<JsonNode> condition) throws Exception {
        return rest.await(path, document -> {
            publisher.sendDecode("w");
            return condition.test(document);
        });
    }

    private static boolean hasNumber(JsonNode values, double number) {
        for (JsonNode value : values) {
            if (value.isNumber() && value.asDouble() == number) {
                return true;
            }
        }
        return false;
    }
}
