/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.prior.LearnedJson;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Real ZeroMQ publishers against the running service, seen through its REST interface. */
class PlannerServiceTest {
    private static final String WORKERS = "/v1/pools/chat/workers";

    @Test
    void framesOfARealPublisherAreShownFieldByField() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            publisher.skip(41);
            publisher.sendStep("worker-7", 3, new ScheduledRequests(2, 12, 4.0, 5, 1, 11, 0.5), 4.5);

            RestClient rest = new RestClient(service.url());
            JsonNode rank = rest.await(
                            WORKERS,
                            d -> d.at("/workers/0/ranks/0/framesReceived").asLong() == 1)
                    .at("/workers/0/ranks/0");

            assertThat(rank.get("endpoint").asText()).isEqualTo(publisher.endpoint());
            assertThat(rank.get("dpRank").asInt()).isEqualTo(3);
            assertThat(rank.get("lastSequence").asLong()).isEqualTo(41);
            assertThat(rank.get("state").asText()).isEqualTo("LIVE");
            assertThat(rank.get("framesLost").asLong()).isZero();
            assertThat(rank.at("/speed/verdict").asText()).isEqualTo("UNKNOWN");
            assertThat(rank.at("/speed/factor").isNull()).isTrue();
            assertThat(rest.get("/metrics").body()).contains("fpm_planner_slow_workers{pool=\"chat\"} 0.0");
            assertThat(rank.at("/lastFrame/worker_id").asText()).isEqualTo("worker-7");
            assertThat(rank.at("/lastFrame/wall_time").asDouble()).isEqualTo(4.5);
            JsonNode scheduled = rank.at("/lastFrame/scheduled_requests");
            assertThat(scheduled.get("num_prefill_requests").asLong()).isEqualTo(2);
            assertThat(scheduled.get("sum_prefill_tokens").asLong()).isEqualTo(12);
            assertThat(scheduled.get("var_prefill_length").asDouble()).isEqualTo(4.0);
            assertThat(scheduled.get("sum_prefill_kv_tokens").asLong()).isEqualTo(5);
            assertThat(scheduled.get("num_decode_requests").asLong()).isEqualTo(1);
            assertThat(scheduled.get("sum_decode_kv_tokens").asLong()).isEqualTo(11);
            assertThat(scheduled.get("var_decode_kv_tokens").asDouble()).isEqualTo(0.5);
        }
    }

    @Test
    void aPoolWithAPriorPredictsFromItsFirstFrameAndSaysWhatItRestsOn() throws Exception {
        String prior = "vllm-0.20.1-b300-qwen3-32b-tp1";
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service =
                        PlannerService.start(config(publisher.endpoint(), "pools[0].prior=" + prior))) {
            RestClient rest = new RestClient(service.url());
            JsonNode model = rest.await("/v1/pools/chat/model", d -> d.has("prior"));
            assertThat(model.at("/prior/name").asText()).isEqualTo(prior);
            assertThat(model.at("/prior/remainingWeight/DECODE").asDouble()).isEqualTo(1);
            assertThat(rest.get("/v1/pools/chat/model/export").statusCode()).isEqualTo(409);
            assertThat(rest.get("/metrics").body())
                    .contains("fpm_planner_model_prior_weight_ratio{pool=\"chat\",regime=\"decode\"} 1.0");

            publisher.awaitSubscriber();
            for (int i = 0; i < 3; i++) {
                publisher.sendDecode("w");
            }
            model = rest.await(
                    "/v1/pools/chat/model", d -> d.get("framesLearned").asLong() > 0);
            assertThat(model.get("evidence").asText()).isEqualTo("WARMING");
            JsonNode export =
                    RestClient.parse(rest.get("/v1/pools/chat/model/export").body());
            assertThat(LearnedJson.read(export).framesLearned()).isPositive();
            assertThat(export.at("/source/pool").asText()).isEqualTo("chat");
        }
    }

    @Test
    void everyGoldenMessageIsTakenOrRejectedWithItsReason() throws Exception {
        Path file = Path.of(System.getProperty("fpm.shared.reference", "absent"), "fpm-golden.json");
        Assumptions.assumeTrue(Files.exists(file), "no golden payloads at " + file);
        JsonNode entries = RestClient.parse(Files.readString(file));
        List<byte[]> payloads = StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> entry.get("kind").asText().equals("payload"))
                .map(entry -> HexFormat.of().parseHex(entry.get("hex").asText()))
                .toList();
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            payloads.forEach(publisher::sendPayload);

            RestClient rest = new RestClient(service.url());
            JsonNode endpoint = rest.await(
                            WORKERS,
                            d -> received(d.at("/endpoints/0")) + rejected(d.at("/endpoints/0")) == payloads.size())
                    .at("/endpoints/0");

            long rejects = StreamSupport.stream(entries.spliterator(), false)
                    .filter(entry -> entry.get("kind").asText().equals("payload"))
                    .map(entry -> entry.get("name").asText())
                    .filter(name -> name.startsWith("reject_")
                            || name.equals("v1_nan_inf")
                            || name.equals("v1_negative_values")
                            || name.equals("v2_future_version"))
                    .count();
            assertThat(rejected(endpoint)).isEqualTo(rejects);
            assertThat(endpoint.at("/rejected/NOT_A_MAP").asLong()).isPositive();
            assertThat(endpoint.at("/rejected/NOT_FINITE").asLong()).isPositive();
            assertThat(endpoint.at("/rejected/UNSUPPORTED_VERSION").asLong()).isEqualTo(1);
            assertThat(endpoint.at("/rejected/TRUNCATED").asLong()).isPositive();
        }
    }

    @Test
    void malformedMessagesAreCountedByReasonAndLoseNothingElse() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            byte[] good = publisher.step("w", 0, new ScheduledRequests(0, 0, 0, 0, 8, 8_000, 0), 0.02);
            byte[] zero = TestPublisher.sequenceBytes(0);
            publisher.sendPayload(good);
            publisher.send(good);
            publisher.send(zero, good);
            publisher.send(new byte[0], zero, good, good);
            publisher.send(new byte[] {1}, zero, good);
            publisher.send(new byte[0], new byte[7], good);
            publisher.send(new byte[0], TestPublisher.sequenceBytes(-1), good);
            publisher.send(new byte[0], zero, new byte[0]);
            publisher.send(new byte[0], zero, "garbage".getBytes(StandardCharsets.UTF_8));
            publisher.send(new byte[0], zero, new byte[70_000]);
            publisher.sendPayload(good);

            RestClient rest = new RestClient(service.url());
            JsonNode endpoint = rest.await(WORKERS, d -> received(d.at("/endpoints/0")) == 2)
                    .at("/endpoints/0");

            JsonNode rejected = endpoint.get("rejected");
            assertThat(rejected.get("BAD_MULTIPART").asLong()).isEqualTo(4);
            assertThat(rejected.get("BAD_SEQUENCE").asLong()).isEqualTo(2);
            assertThat(rejected.get("TRUNCATED").asLong()).isEqualTo(1);
            assertThat(rejected.get("NOT_A_MAP").asLong()).isEqualTo(1);
            assertThat(rejected.get("TOO_LARGE").asLong()).isEqualTo(1);
            rest.await(WORKERS, d -> d.at("/workers/0/ranks/0/framesReceived").asLong() == 2);
            assertThat(rest.get("/metrics").body())
                    .contains("fpm_planner_frames_received_total{pool=\"chat\"} 2.0")
                    .contains("fpm_planner_frames_rejected_total{pool=\"chat\",reason=\"bad_multipart\"} 4.0");
        }
    }

    @Test
    void aMessageBeyondTheHardLimitCostsOneConnectionWhichIsMadeAnew() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            publisher.sendDecode("w");
            RestClient rest = new RestClient(service.url());
            rest.await(WORKERS, d -> received(d.at("/endpoints/0")) == 1);

            publisher.send(new byte[0], TestPublisher.sequenceBytes(1), new byte[400_000]);
            rest.await(WORKERS, d -> d.at("/endpoints/0/protocolErrors").asLong() == 1);
            awaitResubscription(publisher);
            publisher.sendDecode("w");

            JsonNode endpoint = rest.await(WORKERS, d -> received(d.at("/endpoints/0")) == 2)
                    .at("/endpoints/0");
            assertThat(endpoint.get("connects").asLong()).isEqualTo(2);
            assertThat(endpoint.get("state").asText()).isEqualTo("CONNECTED");
        }
    }

    @Test
    void aPublisherThatRestartsOnItsPortIsPickedUpAsANewIncarnation() throws Exception {
        TestPublisher first = new TestPublisher();
        try (PlannerService service = start(first.endpoint())) {
            first.awaitSubscriber();
            first.skip(100);
            first.sendDecode("w");
            RestClient rest = new RestClient(service.url());
            rest.await(WORKERS, d -> d.at("/workers/0/ranks/0/lastSequence").asLong() == 100);

            first.close();
            rest.await(WORKERS, d -> d.at("/endpoints/0/state").asText().equals("CONNECTING"));
            try (TestPublisher second = new TestPublisher(first.port())) {
                second.awaitSubscriber();
                second.sendDecode("w");

                JsonNode rank = rest.await(
                                WORKERS,
                                d -> d.at("/workers/0/ranks/0/restarts").asLong() == 1)
                        .at("/workers/0/ranks/0");
                assertThat(rank.get("incarnation").asInt()).isEqualTo(2);
                assertThat(rank.get("framesLost").asLong()).isZero();
                assertThat(rank.get("lastSequence").asLong()).isZero();
            }
        } finally {
            first.close();
        }
    }

    @Test
    void ranksWithEmptyWorkerIdsOnTwoEndpointsStayApart() throws Exception {
        try (TestPublisher one = new TestPublisher();
                TestPublisher two = new TestPublisher();
                PlannerService service = start(one.endpoint() + "," + two.endpoint())) {
            one.awaitSubscriber();
            two.awaitSubscriber();
            one.sendDecode("");
            two.sendDecode("");
            two.sendDecode("");

            RestClient rest = new RestClient(service.url());
            JsonNode document = rest.await(
                    WORKERS,
                    d -> d.findValues("framesReceived").stream()
                                    .mapToLong(JsonNode::asLong)
                                    .sum()
                            == 6);

            List<String> endpoints = StreamSupport.stream(
                            document.get("workers").spliterator(), false)
                    .flatMap(worker -> StreamSupport.stream(worker.get("ranks").spliterator(), false))
                    .map(rank -> rank.get("endpoint").asText() + " "
                            + rank.get("framesReceived").asLong())
                    .toList();
            assertThat(endpoints).containsExactlyInAnyOrder(one.endpoint() + " 1", two.endpoint() + " 2");
        }
    }

    @Test
    void gapsAreCountedAsLossAndHeartbeatsAsLife() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            publisher.sendDecode("w");
            publisher.skip(5);
            publisher.sendStep("w", 0, ScheduledRequests.NONE, 0);

            RestClient rest = new RestClient(service.url());
            JsonNode rank = rest.await(
                            WORKERS,
                            d -> d.at("/workers/0/ranks/0/framesReceived").asLong() == 2)
                    .at("/workers/0/ranks/0");

            assertThat(rank.get("framesLost").asLong()).isEqualTo(5);
            assertThat(rank.get("heartbeats").asLong()).isEqualTo(1);
            assertThat(rank.get("activity").asText()).isIn("BUSY", "LONG_STEP");
            String labels = "{pool=\"chat\",worker=\"w\",dp_rank=\"0\",endpoint=\"" + publisher.endpoint()
                    + "\",publisher=\"\"";
            String endpoint = "{endpoint=\"" + publisher.endpoint() + "\",pool=\"chat\"} 2.0";
            assertThat(rest.get("/metrics/ranks").body().lines().map(PlannerServiceTest::sortedLabels))
                    .contains(sortedLabels("fpm_planner_rank_frames_lost_total" + labels + "} 5.0"))
                    .contains(sortedLabels("fpm_planner_rank_heartbeats_total" + labels + "} 1.0"))
                    .contains("fpm_planner_endpoint_frames_received_total" + endpoint);
            assertThat(rank.get("stepsLearned").asLong()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void unresolvableDeadAndForeignEndpointsHarmNobody() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                ForeignPeer foreign = new ForeignPeer();
                PlannerService service = start("tcp://no-such-host.invalid:20380," + publisher.endpoint()
                        + ",tcp://127.0.0.1:1,tcp://localhost:" + foreign.port())) {
            publisher.awaitSubscriber();
            publisher.sendDecode("w");

            RestClient rest = new RestClient(service.url());
            rest.await(WORKERS, d -> received(endpoint(d, publisher.endpoint())) == 1);
            rest.await(
                    WORKERS,
                    d -> state(endpoint(d, "tcp://no-such-host.invalid:20380")).equals("UNRESOLVABLE"));
            rest.await(
                    WORKERS,
                    d -> state(endpoint(d, "tcp://127.0.0.1:" + foreign.port())).equals("INCOMPATIBLE"));
            JsonNode document = rest.json(WORKERS);
            assertThat(state(endpoint(document, "tcp://127.0.0.1:1"))).isEqualTo("CONNECTING");
            assertThat(state(endpoint(document, publisher.endpoint()))).isEqualTo("CONNECTED");
            assertThat(rest.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(rest.get("/metrics").body())
                    .contains("fpm_planner_endpoints{pool=\"chat\",state=\"unresolvable\"} 1.0")
                    .contains("fpm_planner_endpoints{pool=\"chat\",state=\"incompatible\"} 1.0");
        }
    }

    @Test
    void aLearnedPoolPredictsRecommendsAndShowsItsModel() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = start(publisher.endpoint())) {
            publisher.awaitSubscriber();
            for (int i = 0; i < 400; i++) {
                long decodes = 1L + i % 16;
                publisher.sendStep(
                        "w",
                        0,
                        new ScheduledRequests(0, 0, 0, 0, decodes, 1_000 * decodes, 0),
                        0.01 + 0.0005 * decodes);
                long tokens = 64 + 128L * (i % 15);
                publisher.sendStep("w", 0, new ScheduledRequests(1, tokens, 0, 0, 0, 0, 0), 0.012 + 0.00004 * tokens);
                publisher.sendStep(
                        "w",
                        0,
                        new ScheduledRequests(1, tokens, 0, 0, decodes, 1_000 * decodes, 0),
                        0.012 + 0.00004 * tokens + 0.0005 * decodes);
            }
            RestClient rest = new RestClient(service.url());
            rest.await(
                    "/v1/pools",
                    d -> List.of("READY", "EXTRAPOLATING")
                            .contains(d.at("/pools/0/evidence").asText()));

            var answer = rest.post("/v1/pools/chat/predictions", "{\"inputTokens\": 1000, \"workerId\": \"w\"}");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode prediction = RestClient.parse(answer.body());
            // One step of 1,000 tokens takes 0.052 s by the law above. Its frames came much faster than real time, as
            // if far more was asked than an engine can do, so that no upper bound follows.
            double ttft = prediction.at("/ttft/p50Seconds").asDouble();
            assertThat(ttft).isGreaterThan(0.03).isFinite();
            assertThat(prediction.at("/ttft/p90Seconds").asDouble()).isGreaterThanOrEqualTo(ttft);
            assertThat(prediction.at("/itl/meanSeconds").asDouble())
                    .isGreaterThan(0.008)
                    .isFinite();
            assertThat(prediction.get("evidence").asText()).isNotEqualTo("COLD");
            assertThat(prediction.get("dataAgeSeconds").asDouble()).isNotNegative();

            JsonNode model = rest.json("/v1/pools/chat/model");
            assertThat(model.get("framesLearned").asLong()).isPositive();
            assertThat(model.get("regimes")).hasSize(3);
            assertThat(model.get("coefficients").size()).isPositive();
            JsonNode recommendation = rest.json("/v1/pools/chat/recommendation");
            assertThat(recommendation.get("readyReplicas").asInt()).isEqualTo(1);
            assertThat(recommendation.get("decidedAt").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
            assertThat(rest.json("/v1/pools/chat").at("/recommendation/pool").asText())
                    .isEqualTo("chat");
            assertThat(rest.post("/v1/pools/chat/predictions", "{\"inputTokens\": 10, \"workerId\": \"nobody\"}")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aTakenPortIsOneClearMessage() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServiceConfig config = config("tcp://127.0.0.1:1", "http.port=" + taken.getLocalPort());

            assertThatThrownBy(() -> PlannerService.start(config))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void anAddressThatIsNotOursIsOneClearMessage() throws Exception {
        ServiceConfig config = config("tcp://127.0.0.1:1", "http.host=no-such-host.invalid");

        assertThatThrownBy(() -> PlannerService.start(config))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("cannot listen on no-such-host.invalid:0");
    }

    @Test
    void routesOfOnesOwnGoBeforeThoseOfTheService() throws Exception {
        ServiceConfig config = config("tcp://127.0.0.1:1", "http.port=0");
        try (PlannerService service = PlannerService.start(
                config,
                List.of(router ->
                        router.get("/").handler(context -> context.response().end("mine"))))) {
            assertThat(new RestClient(service.url()).get("/").body()).isEqualTo("mine");
        }
    }

    @Test
    void afterClosingThePortIsFreeAndASecondCloseDoesNothing() throws Exception {
        PlannerService service = start("tcp://127.0.0.1:1");
        int port = service.port();
        service.close();
        service.close();

        try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).isTrue();
        }
    }

    @Test
    void whatWasAskedBeforeTheEndIsAnsweredAndStreamsEnd() throws Exception {
        CompletableFuture<RoutingContext> asked = new CompletableFuture<>();
        PlannerService service = PlannerService.start(
                config("tcp://127.0.0.1:1", "http.port=0"),
                List.of(router -> router.get("/slow").handler(asked::complete)));
        HttpClient client = HttpClient.newHttpClient();
        CompletableFuture<HttpResponse<String>> slow = client.sendAsync(
                HttpRequest.newBuilder(URI.create(service.url() + "/slow")).build(), BodyHandlers.ofString());
        RoutingContext context = asked.get();
        HttpResponse<Stream<String>> events = client.send(
                HttpRequest.newBuilder(URI.create(service.url() + "/v1/events")).build(), BodyHandlers.ofLines());

        CompletableFuture<Void> closed = CompletableFuture.runAsync(service::close);
        assertThat(events.body()).as("ends").isNotEmpty();
        context.vertx().runOnContext(nothing -> context.response().end("answered"));

        assertThat(slow.get().body()).isEqualTo("answered");
        closed.get();
    }

    private static PlannerService start(String sources) throws Exception {
        return PlannerService.start(config(sources, "http.port=0"));
    }

    private static ServiceConfig config(String sources, String setting) throws Exception {
        return ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", sources),
                        List.of(
                                "http.port=0",
                                "tickSeconds=0.05",
                                "zeromq.reconnectMaxSeconds=0.25",
                                "zeromq.resolveSeconds=1",
                                setting))
                .config();
    }

    private static void awaitResubscription(TestPublisher publisher) {
        // The lost connection takes its subscription back first, which an XPUB reports too.
        try {
            publisher.awaitSubscriber();
        } catch (AssertionError unsubscribed) {
            publisher.awaitSubscriber();
        }
    }

    /** A line of the exposition with its labels in order of their names. */
    private static String sortedLabels(String line) {
        int from = line.indexOf('{');
        int to = line.indexOf('}');
        if (from < 0 || to < from) {
            return line;
        }
        String[] labels = line.substring(from + 1, to).split(",", -1);
        Arrays.sort(labels);
        return line.substring(0, from + 1) + String.join(",", labels) + line.substring(to);
    }

    private static JsonNode endpoint(JsonNode document, String endpoint) {
        return StreamSupport.stream(document.get("endpoints").spliterator(), false)
                .filter(each -> each.get("endpoint").asText().equals(endpoint))
                .findFirst()
                .orElse(RestClient.missing());
    }

    private static String state(JsonNode endpoint) {
        return endpoint.path("state").asText();
    }

    private static long received(JsonNode endpoint) {
        return endpoint.path("framesReceived").asLong();
    }

    private static long rejected(JsonNode endpoint) {
        long sum = 0;
        for (JsonNode count : endpoint.path("rejected")) {
            sum += count.asLong();
        }
        return sum;
    }

    /** Something that listens and talks, but not ZMTP. */
    private static final class ForeignPeer implements AutoCloseable {
        private final ServerSocket server;

        ForeignPeer() throws IOException {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::serve, "foreign-peer");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return server.getLocalPort();
        }

        private void serve() {
            while (!server.isClosed()) {
                try (Socket peer = server.accept()) {
                    peer.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    peer.getOutputStream().flush();
                    // Keeps the connection until the other side gives up.
                    while (peer.getInputStream().read() >= 0) {}
                } catch (IOException e) {
                    // The peer left, or the test is over.
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
