/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Orders, queues and decisions over REST. */
class OrchestratorRoutesTest {
    private static HttpResponse<String> send(PlannerService service, String path, String method, String body)
            throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(service.url() + path))
                                .header("Content-Type", "application/json")
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aPoolAtZeroIsWokenByAQueueAndAdviceIsRefusedToScalers() throws Exception {
        Map<String, String> environment = Map.of(
                "PLANNER_POOLS_0_ID", "chat",
                "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1",
                "PLANNER_POOLS_0_SCALING_MIN_REPLICAS", "0",
                "PLANNER_POOLS_0_SCALING_MODE", "advisory",
                "PLANNER_TICK_SECONDS", "0.1");
        try (PlannerService service =
                PlannerService.start(ConfigLoader.load(Optional.empty(), environment, List.of("http.port=0"))
                        .config())) {
            RestClient rest = new RestClient(service.url());
            String pool = "/v1/pools/chat";
            assertThat(send(service, pool + "/fleet", "PUT", "{\"ready\": 0, \"desired\": 0}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(send(service, pool + "/fleet", "PUT", "{\"pending\": 1}").statusCode())
                    .isEqualTo(400);
            assertThat(send(service, pool + "/queue", "PUT", "{\"requests\": 3}")
                            .statusCode())
                    .isEqualTo(200);
            rest.await(pool + "/recommendation", d -> d.path("reason").asText().equals("REQUESTS_AT_ZERO"));
            rest.await(pool + "/fleet", d -> d.path("recommended").asInt() == 1);
            JsonNode fleet = rest.await(pool + "/fleet", d -> d.path("inPlan").asBoolean());
            assertThat(fleet.path("supplied").asBoolean()).isTrue();
            assertThat(fleet.path("followed").asBoolean(true)).isFalse();
            JsonNode log =
                    rest.await(pool + "/decisions", d -> d.path("decisions").size() > 0);
            assertThat(log.path("decisions").path(0).path("number").asInt()).isEqualTo(1);
            assertThat(send(service, pool + "/decisions?after=x", "GET", "").statusCode())
                    .isEqualTo(400);
            HttpResponse<String> refused = send(service, pool + "/desired-replicas", "GET", "");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("advisory");
            assertThat(send(service, pool + "/queue", "DELETE", "").statusCode())
                    .isEqualTo(204);
            rest.await(pool + "/queue", d -> d.path("requests").isNull());
            forecasts(service, rest, pool + "/forecast");
        }
    }

    @Test
    void whatWasSaidIsReadAtOnceThoughThePlanComesLater() throws Exception {
        Map<String, String> environment = Map.of(
                "PLANNER_POOLS_0_ID", "chat",
                "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1",
                // No plan after the first comes while this test runs.
                "PLANNER_TICK_SECONDS", "60");
        try (PlannerService service =
                PlannerService.start(ConfigLoader.load(Optional.empty(), environment, List.of("http.port=0"))
                        .config())) {
            RestClient rest = new RestClient(service.url());
            String fleet = "/v1/pools/chat/fleet";
            assertThat(rest.json(fleet).get("supplied").asBoolean()).isFalse();
            assertThat(rest.json(fleet).get("inPlan").asBoolean()).isTrue();

            send(service, fleet, "PUT", "{\"ready\": 3, \"desired\": 4}");
            JsonNode said = rest.json(fleet);

            assertThat(said.get("supplied").asBoolean()).isTrue();
            assertThat(said.get("inPlan").asBoolean()).isFalse();
            assertThat(said.get("ready").asInt()).isEqualTo(3);
            assertThat(said.get("pending").isNull()).isTrue();
            assertThat(said.get("desired").asInt()).isEqualTo(4);
            send(service, fleet, "DELETE", "");
            assertThat(rest.json(fleet).get("supplied").asBoolean()).isFalse();
            assertThat(rest.json(fleet).get("ready").isNull()).isTrue();
            send(service, "/v1/pools/chat/queue", "PUT", "{\"requests\": 7}");
            assertThat(rest.json("/v1/pools/chat/queue").get("requests").asDouble())
                    .isEqualTo(7);
            send(service, "/v1/pools/chat/queue", "DELETE", "");
            assertThat(rest.json("/v1/pools/chat/queue").get("requests").isNull())
                    .isTrue();
        }
    }

    private static void forecasts(PlannerService service, RestClient rest, String path) throws Exception {
        String early = "{\"time\": \"2000-01-01T00:00:00Z\", \"requestsPerSecond\": 4}";
        String late = "{\"time\": \"2200-01-01T00:00:00Z\", \"requestsPerSecond\": 4}";
        String rates = "\"requestsPerSecond\": -1}";
        Map<String, String> wrong = Map.of(
                "points[0].requestsPerSecond",
                late.replace("\"requestsPerSecond\": 4}", rates),
                "points[0].time",
                late.replace("2200-01-01T00:00:00Z", "tomorrow"),
                "points[1].time",
                late + "," + early,
                "points",
                early);
        for (Map.Entry<String, String> each : wrong.entrySet()) {
            HttpResponse<String> refused = send(service, path, "PUT", "{\"points\": [" + each.getValue() + "]}");
            assertThat(refused.statusCode()).as(each.getKey()).isEqualTo(400);
            assertThat(refused.body()).contains("\"" + each.getKey() + "\"");
        }
        assertThat(send(service, path, "PUT", "{\"points\": [" + early + "," + late + "]}")
                        .statusCode())
                .isEqualTo(200);
        rest.await(path, d -> d.path("origin").asText().equals("SUPPLIED"));
        assertThat(send(service, path, "DELETE", "").statusCode()).isEqualTo(204);
        rest.await(path, d -> d.path("origin").asText().equals("TREND"));
    }
}
