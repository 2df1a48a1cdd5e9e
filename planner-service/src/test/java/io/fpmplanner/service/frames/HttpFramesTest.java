/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Frames posted to a running service. */
class HttpFramesTest {
    private static final String MSGPACK = "application/msgpack";
    private static PlannerService service;
    private static RestClient rest;

    @BeforeAll
    static void start() throws Exception {
        service = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of(
                                "PLANNER_POOLS_0_ID", "chat",
                                "PLANNER_POOLS_0_SOURCES", "http",
                                "PLANNER_POOLS_1_ID", "code",
                                "PLANNER_POOLS_1_SOURCES", "http",
                                "PLANNER_POOLS_2_ID", "closed",
                                "PLANNER_POOLS_2_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0", "handoffFrames=256"))
                .config());
        rest = new RestClient(service.url());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void oneJsonFrameReachesThePool() throws Exception {
        JsonNode answer =
                accepted(post("/v1/pools/chat/frames?endpoint=engine-1", "application/json", json("json", 7)));

        assertThat(answer.get("accepted").asInt()).isEqualTo(1);
        assertThat(answer.get("rejected").asInt()).isZero();
        assertThat(answer.get("firstRejected").isNull()).isTrue();
        JsonNode rank = rank("chat", "json");
        assertThat(rank.get("endpoint").asText()).isEqualTo("http://engine-1");
        assertThat(rank.at("/lastFrame/scheduled_requests/num_decode_requests").asInt())
                .isEqualTo(7);
    }

    @Test
    void msgpackComesAloneInAnArrayOrInARow() throws Exception {
        byte[] one = payload("msgpack", 1);
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        array.write(0x93);
        array.writeBytes(one);
        array.writeBytes(new byte[] {(byte) 0xc5, (byte) (one.length >> 8), (byte) one.length});
        array.writeBytes(payload("msgpack", 2));
        array.writeBytes(payload("msgpack", 3));
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row.writeBytes(one);
        row.writeBytes(one);

        assertThat(accepted(post("/v1/frames?pool=code", MSGPACK, one))
                        .get("accepted")
                        .asInt())
                .isEqualTo(1);
        assertThat(accepted(post("/v1/frames?pool=code", "application/x-msgpack", array.toByteArray()))
                        .get("accepted")
                        .asInt())
                .isEqualTo(3);
        assertThat(accepted(post("/v1/frames?pool=code", MSGPACK, row.toByteArray()))
                        .get("accepted")
                        .asInt())
                .isEqualTo(2);
        rest.await(
                "/v1/pools/code/workers",
                document -> document.at("/workers/0/ranks/0/framesReceived").asInt() == 6);
        assertThat(rank("code", "msgpack").get("endpoint").asText()).isEqualTo("http://127.0.0.1");
    }

    @Test
    void framesMayNameTheirPoolThemselves() throws Exception {
        String lines = "{\"pool\":\"chat\"," + json("named", 1).substring(1) + "\n\n{\"pool\":\"code\","
                + json("named", 2).substring(1) + "\r\n" + json("named", 3) + "\n{\"pool\":\"closed\","
                + json("named", 4).substring(1);

        JsonNode answer = accepted(post("/v1/frames", "application/x-ndjson; charset=utf-8", lines));

        assertThat(answer.get("accepted").asInt()).isEqualTo(2);
        assertThat(answer.at("/reasons/NO_SUCH_POOL").asInt()).isEqualTo(2);
        assertThat(answer.at("/firstRejected/index").asInt()).isEqualTo(2);
        assertThat(answer.at("/firstRejected/detail").asText())
                .contains("chat, code")
                .doesNotContain("closed");
        rank("chat", "named");
        rank("code", "named");
    }

    @Test
    void whatIsNoFrameIsCountedAndLosesNothingElse() throws Exception {
        String array =
                "[" + json("mixed", 1) + ", {\"wall_time\": -1}, 7, {\"x\": 1}, \"!!\", " + json("mixed", 2) + "]";
        JsonNode answer = accepted(post("/v1/pools/chat/frames?endpoint=mixed", "application/json", array));

        assertThat(answer.get("accepted").asInt()).isEqualTo(2);
        assertThat(answer.get("rejected").asInt()).isEqualTo(4);
        assertThat(answer.get("reasons"))
                .hasToString("{\"NEGATIVE\":1,\"NOT_A_MAP\":1,\"NOT_FPM\":1,\"NOT_BASE64\":1}");
        assertThat(answer.at("/firstRejected/index").asInt()).isEqualTo(1);
        assertThat(answer.at("/firstRejected/reason").asText()).isEqualTo("NEGATIVE");
        assertThat(answer.at("/firstRejected/detail").asText()).endsWith(": wall_time");
        JsonNode endpoint = endpoint("chat", "http://mixed");
        assertThat(endpoint.get("framesReceived").asInt()).isEqualTo(2);
        assertThat(endpoint.at("/rejected/NOT_FPM").asInt()).isEqualTo(1);
        assertThat(endpoint.get("state").asText()).isEqualTo("CONNECTED");
        assertThat(endpoint.get("source").asText()).isEqualTo("http");
    }

    @Test
    void whatIsCutOffLosesNothingThatCameBefore() throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(payload("cut", 1));
        body.writeBytes(payload("cut", 2));
        body.write(payload("cut", 3), 0, 40);
        JsonNode answer = accepted(post("/v1/pools/chat/frames?endpoint=cut", MSGPACK, body.toByteArray()));

        assertThat(answer.get("accepted").asInt()).isEqualTo(2);
        assertThat(answer.get("reasons")).hasToString("{\"TRUNCATED\":1}");
    }

    @Test
    void twoSendersWithEmptyWorkerIdsAreTwoRanks() throws Exception {
        for (String sender : List.of("anonymous-a", "anonymous-b")) {
            accepted(rest.send(rest.request("/v1/pools/code/frames")
                    .header("Content-Type", "application/json")
                    .header("FPM-Endpoint", sender)
                    .POST(BodyPublishers.ofString(json("", 1)))));
        }
        rest.await(
                "/v1/pools/code/workers",
                document -> document.findValues("ranks").stream()
                        .map(ranks -> ranks.at("/0/endpoint").asText())
                        .toList()
                        .containsAll(List.of("http://anonymous-a", "http://anonymous-b")));
    }

    @Test
    void wrongRequestsAreRefused() throws Exception {
        String frame = json("w", 1);
        problem(post("/v1/frames", "text/plain", frame), 415, "application/msgpack");
        problem(post("/v1/frames?pool=other", "application/json", frame), 404, "'other'");
        problem(post("/v1/pools/other/frames", "application/json", frame), 404, "'other'");
        problem(post("/v1/pools/closed/frames", "application/json", frame), 409, "add http to its sources");
        problem(post("/v1/frames", "application/json", frame), 404, "names a pool");
        problem(post("/v1/pools/chat/frames", "application/json", ""), 400, "no value");
        problem(post("/v1/pools/chat/frames", "application/json", "{\"worker_id\":"), 400, "cannot be read");
        problem(post("/v1/pools/chat/frames", "application/json", "[]"), 400, "no frame");
        problem(post("/v1/pools/chat/frames", "application/x-ndjson", "\n\n"), 400, "no frame");
        problem(post("/v1/pools/chat/frames", "application/x-ndjson", "nonsense"), 400, "not JSON");
        problem(post("/v1/pools/chat/frames", MSGPACK, new byte[] {(byte) 0x93, 1}), 400, "no frame was accepted");
        problem(post("/v1/pools/chat/frames", MSGPACK, new byte[] {(byte) 0x93}), 400, "ends early");
        problem(post("/v1/pools/chat/frames", MSGPACK, new byte[] {(byte) 0xdd, 127, -1, -1, -1}), 400, "ends early");
        problem(post("/v1/pools/chat/frames", MSGPACK, new byte[] {(byte) 0xc6, 127, -1, -1, -1}), 400, "ends early");
        problem(post("/v1/pools/chat/frames?endpoint=%20", "application/json", frame), 400, "visible ASCII");
        problem(post("/v1/pools/chat/frames", "application/json", " ".repeat(2 << 20)), 413, "1048576");
        problem(rest.get("/v1/frames"), 405, "POST");
        String array = IntStream.range(0, 300).mapToObj(i -> frame).collect(Collectors.joining(",", "[", "]"));
        problem(post("/v1/pools/chat/frames", "application/json", array), 413, "300 frames");
    }

    @Test
    void withoutAPoolThatTakesThemFramesAreRefused() throws Exception {
        try (PlannerService other = PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        List.of("http.port=0"))
                .config())) {
            HttpResponse<String> answer = new RestClient(other.url()).post("/v1/pools/chat/frames", json("w", 1));
            problem(answer, 409, "add http");
        }
    }

    private static HttpResponse<String> post(String path, String type, String body) throws Exception {
        return rest.send(rest.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> post(String path, String type, byte[] body) throws Exception {
        return rest.send(rest.request(path).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body)));
    }

    private static JsonNode accepted(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return RestClient.parse(answer.body());
    }

    private static void problem(HttpResponse<String> answer, int status, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains(detail);
    }

    private static JsonNode rank(String pool, String worker) throws Exception {
        JsonNode document = rest.await(
                "/v1/pools/" + pool + "/workers", d -> !find(d, worker).isMissingNode());
        return find(document, worker);
    }

    private static JsonNode find(JsonNode document, String worker) {
        for (JsonNode entry : document.path("workers")) {
            if (entry.path("workerId").asText().equals(worker)) {
                return entry.at("/ranks/0");
            }
        }
        return RestClient.missing();
    }

    private static JsonNode endpoint(String pool, String name) throws Exception {
        for (JsonNode entry : rest.json("/v1/pools/" + pool + "/workers").path("endpoints")) {
            if (entry.path("endpoint").asText().equals(name)) {
                return entry;
            }
        }
        return RestClient.missing();
    }

    private static String json(String worker, int requests) {
        return "{\"worker_id\":\"" + worker + "\",\"counter_id\":" + requests
                + ",\"wall_time\":0.02,\"scheduled_requests\":{\"num_decode_requests\":" + requests
                + ",\"sum_decode_kv_tokens\":1000}}";
    }

    private static byte[] payload(String worker, int counter) {
        FpmFrame frame = new FpmFrame();
        frame.clearPayload()
                .workerId(worker)
                .counterId(counter)
                .wallTimeSeconds(0.02)
                .scheduledDecode(4, 4_000, 0);
        return FrameJson.payload(frame.view());
    }
}
