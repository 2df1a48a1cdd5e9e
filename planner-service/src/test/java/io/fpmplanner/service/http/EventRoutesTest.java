/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventRoutesTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private PlannerService service;

    @BeforeEach
    void start() throws Exception {
        service = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0", "tickSeconds=0.1"))
                .config());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void everyPlanIsAnEventWithTheDocumentOfAllPools() throws Exception {
        try (BufferedReader lines = open("/v1/events")) {
            Event first = next(lines);
            Event second = next(lines);

            assertThat(first.name()).isEqualTo("pools");
            assertThat(first.data().at("/pools/0/id").asText()).isEqualTo("chat");
            assertThat(second.id()).isGreaterThan(first.id());
        }
    }

    @Test
    void onePoolCanBeFollowed() throws Exception {
        try (BufferedReader lines = open("/v1/pools/chat/events")) {
            Event event = next(lines);

            assertThat(event.name()).isEqualTo("pool");
            assertThat(event.data().at("/recommendation/reason").asText()).isEqualTo("NO_DATA");
        }
        assertThat(status("/v1/pools/absent/events")).isEqualTo(404);
    }

    @Test
    void clientsAreBoundedAndMakeRoomWhenTheyLeave() throws Exception {
        List<InputStream> streams = new ArrayList<>();
        for (int i = 0; i < EventRoutes.MOST_CLIENTS; i++) {
            streams.add(send("/v1/events").body());
        }
        assertThat(status("/v1/events")).isEqualTo(503);

        for (InputStream stream : streams) {
            stream.close();
        }
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (status("/v1/events") != 200) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private record Event(String name, long id, JsonNode data) {}

    private static Event next(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (!line.startsWith("event: ")) {
            line = lines.readLine();
        }
        return new Event(
                line.substring("event: ".length()),
                Long.parseLong(lines.readLine().substring("id: ".length())),
                RestClient.parse(lines.readLine().substring("data: ".length())));
    }

    private BufferedReader open(String path) throws Exception {
        HttpResponse<InputStream> response = send(path);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private int status(String path) throws Exception {
        HttpResponse<InputStream> response = send(path);
        response.body().close();
        return response.statusCode();
    }

    private HttpResponse<InputStream> send(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(service.url() + path))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }
}
