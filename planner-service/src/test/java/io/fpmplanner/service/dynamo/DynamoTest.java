/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceName;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gRPC client in the place of Dynamo's planner, and a REST client in that of a virtual deployment. */
class DynamoTest {
    private static final String PACKAGE = "dynamo.planner.plugin.v1";
    /** {@code ProposeStageRequest{context = 1 {request_id = 1}}}. */
    private static final byte[] REQUEST = {0x0a, 0x04, 0x0a, 0x02, 't', '1'};

    private static TestPublisher publisher;
    private static PlannerService service;
    private static RestClient rest;
    private static Vertx vertx;
    private static GrpcClient client;
    private static long startedSeconds;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        startedSeconds = System.currentTimeMillis() / 1000;
        publisher = new TestPublisher();
        Path config = Files.writeString(directory.resolve("planner.yaml"), """
                http: {port: 0}
                keda: {host: 127.0.0.1, port: 0}
                dynamo: {model: served}
                tickSeconds: 0.1
                pools:
                  - id: chat
                    model: served
                    role: decode
                    prior: vllm-0.20.1-b300-qwen3-32b-tp1
                    sources: ["%s"]
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                  - id: other
                    model: another
                    role: decode
                    sources: ["tcp://127.0.0.1:1"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config());
        rest = new RestClient(service.url());
        vertx = Vertx.vertx();
        client = GrpcClient.client(vertx);
    }

    @AfterAll
    static void stop() throws Exception {
        await(vertx.close());
        service.close();
        publisher.close();
    }

    @Test
    void proposesWhatIsRecommendedAndHasNoOpinionBefore() throws Exception {
        assertThat(await(respond("ProposePlugin", "Propose", REQUEST).compose(GrpcClientResponse::last))
                        .getBytes())
                .as("ProposeStageResponse{accept = 1}")
                .containsExactly(0x0a, 0x00);
        assertThat(rest.get("/v1/dynamo/decision").statusCode()).isEqualTo(503);

        publisher.awaitSubscriber();
        for (int i = 0; i < 200; i++) {
            publisher.sendDecode("w");
        }
        JsonNode recommended = rest.await(
                "/v1/pools/chat/desired-replicas",
                d -> d.path("desiredReplicas").isInt());

        Proposal proposal =
                Proposal.read(await(respond("ProposePlugin", "Propose", REQUEST).compose(GrpcClientResponse::last))
                        .getBytes());
        assertThat(proposal.targets())
                .containsExactly(
                        "decode SET " + recommended.get("desiredReplicas").asInt());
        assertThat(proposal.reason()).startsWith("decode: ");
        theVirtualConnectorCountsDecisions(recommended.get("desiredReplicas").asInt());
    }

    private static void theVirtualConnectorCountsDecisions(int desired) throws Exception {
        JsonNode decision = rest.json("/v1/dynamo/decision");
        assertThat(decision.get("num_prefill_workers").asInt()).isZero();
        assertThat(decision.get("num_decode_workers").asInt()).isEqualTo(desired);
        long number = decision.get("decision_id").asLong();
        assertThat(number)
                .as("above every number of a planner that was started earlier")
                .isBetween(startedSeconds, System.currentTimeMillis() / 1000);
        assertThat(decision.get("scaled_decision_id").asInt()).isEqualTo(-1);

        HttpResponse<String> done = rest.post("/v1/dynamo/decision/complete", "{\"decision_id\": " + number + "}");
        assertThat(RestClient.parse(done.body()).get("scaled_decision_id").asLong())
                .isEqualTo(number);
        assertThat(rest.post("/v1/dynamo/decision/complete", "{\"decision_id\": " + (number + 7) + "}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(rest.post("/v1/dynamo/decision/complete", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void theLifecycleIsAnsweredAndOtherStagesAreNotThere() throws Exception {
        assertThat(await(respond("PluginLifecycle", "Bootstrap", new byte[0]).compose(GrpcClientResponse::last))
                        .getBytes())
                .containsExactly(0x08, 0x01);
        assertThat(await(respond("PredictPlugin", "Predict", REQUEST)).status()).isEqualTo(GrpcStatus.UNIMPLEMENTED);
        assertThat(await(respond("ProposePlugin", "Propose", new byte[] {0x0a, 0x7f, 0x01}))
                        .status())
                .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    }

    /** {@code ProposeStageResponse} with an override, as text. */
    private record Proposal(List<String> targets, String reason) {
        static Proposal read(byte[] response) throws Exception {
            CodedInputStream in = CodedInputStream.newInstance(response);
            assertThat(WireFormat.getTagFieldNumber(in.readTag())).isEqualTo(2);
            CodedInputStream override = CodedInputStream.newInstance(in.readByteArray());
            List<String> targets = new ArrayList<>();
            String reason = "";
            for (int tag = override.readTag(); tag != 0; tag = override.readTag()) {
                if (WireFormat.getTagFieldNumber(tag) == 1) {
                    targets.add(target(CodedInputStream.newInstance(override.readByteArray())));
                } else {
                    reason = override.readString();
                }
            }
            return new Proposal(targets, reason);
        }

        private static String target(CodedInputStream in) throws Exception {
            String component = "";
            int replicas = -1;
            int type = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                switch (WireFormat.getTagFieldNumber(tag)) {
                    case 1 -> component = in.readString();
                    case 3 -> replicas = in.readInt32();
                    case 4 -> type = in.readEnum();
                    default -> in.skipField(tag);
                }
            }
            return component + (type == 0 ? " SET " : " ? ") + replicas;
        }
    }

    private static Future<GrpcClientResponse<Buffer, Buffer>> respond(String stage, String method, byte[] message) {
        return client.request(SocketAddress.inetSocketAddress(service.kedaPort().orElseThrow(), "127.0.0.1"))
                .compose(request -> {
                    request.serviceName(ServiceName.create(PACKAGE + "." + stage))
                            .methodName(method);
                    return request.send(Buffer.buffer(message));
                });
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
