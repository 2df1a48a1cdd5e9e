/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
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
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gRPC client against the scaler of a running service. */
class KedaVerticleTest {
    private static final int SECONDS = 30;

    private static TestPublisher publisher;
    private static PlannerService service;
    private static Vertx vertx;
    private static GrpcClient client;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        publisher = new TestPublisher();
        Path config = Files.writeString(directory.resolve("planner.yaml"), """
                http: {port: 0}
                keda: {host: 127.0.0.1, port: 0}
                tickSeconds: 0.1
                pools:
                  - id: chat
                    role: decode
                    prior: vllm-0.20.1-b300-qwen3-32b-tp1
                    sources: ["%s"]
                    liveness: {staleAfterSeconds: 600, goneAfterSeconds: 1200}
                  - id: cold
                    sources: ["tcp://127.0.0.1:1"]
                """.formatted(publisher.endpoint()));
        service = PlannerService.start(
                ConfigLoader.load(Optional.of(config), Map.of(), List.of()).config());
        publisher.awaitSubscriber();
        for (int i = 0; i < 200; i++) {
            publisher.sendDecode("w");
        }
        new RestClient(service.url())
                .await(
                        "/v1/pools/chat/recommendation",
                        d -> !d.path("status").asText("UNDECIDED").equals("UNDECIDED"));
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
    void theSpecificationNamesTheMetricAndItsTarget() throws Exception {
        Metric metric = Metric.read(call("GetMetricSpec", reference(Map.of("pool", "chat", "targetValue", "2"))));

        assertThat(metric).isEqualTo(new Metric("llm-desired-replicas-chat", 2, 2.0));
    }

    @Test
    void theMetricIsTheDesiredNumberOfReplicas() throws Exception {
        byte[] request = message(out -> {
            out.writeByteArray(1, reference(Map.of("pool", "chat")));
            out.writeString(2, "llm-desired-replicas-chat");
        });

        Metric metric = Metric.read(call("GetMetrics", request));

        assertThat(metric.name()).isEqualTo("llm-desired-replicas-chat");
        assertThat(metric.whole()).isPositive();
        assertThat(metric.number()).isEqualTo((double) metric.whole());
    }

    @Test
    void whatIsNotKnownIsAnErrorButCountsAsActive() throws Exception {
        byte[] cold = reference(Map.of("pool", "cold"));
        GrpcClientResponse<Buffer, Buffer> response =
                respond("GetMetrics", message(out -> out.writeByteArray(1, cold)));

        assertThat(response.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(response.statusMessage()).contains("cold", "NO_DATA");
        assertThat(call("IsActive", cold)).containsExactly(8, 1);
    }

    @Test
    void aStreamTellsAtOnceWhetherThePoolIsActive() throws Exception {
        BlockingQueue<Buffer> told = new LinkedBlockingQueue<>();
        open("StreamIsActive", reference(Map.of("pool", "chat"))).onSuccess(response -> response.handler(told::add));

        assertThat(told.poll(SECONDS, TimeUnit.SECONDS).getBytes()).containsExactly(8, 1);
    }

    @Test
    void wrongCallsAreRefusedInWords() throws Exception {
        assertThat(respond("IsActive", reference(Map.of())).status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        GrpcClientResponse<Buffer, Buffer> absent = respond("IsActive", reference(Map.of("pool", "absent")));
        assertThat(absent.status()).isEqualTo(GrpcStatus.NOT_FOUND);
        assertThat(absent.statusMessage()).contains("absent", "chat, cold");
        assertThat(respond("GetMetricSpec", reference(Map.of("pool", "chat", "targetValue", "many")))
                        .status())
                .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(respond("GetMetricSpec", reference(Map.of("pool", "chat", "targetValue", "0")))
                        .status())
                .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(respond("StreamMetricSpec", reference(Map.of("pool", "chat")))
                        .status())
                .isEqualTo(GrpcStatus.UNIMPLEMENTED);
        assertThat(respond("IsActive", new byte[] {10, 50, 1}).status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    }

    private record Metric(String name, long whole, double number) {
        /** From the only element of field 1. */
        static Metric read(byte[] message) throws Exception {
            CodedInputStream outer = CodedInputStream.newInstance(message);
            assertThat(WireFormat.getTagFieldNumber(outer.readTag())).isEqualTo(1);
            CodedInputStream in = CodedInputStream.newInstance(outer.readByteArray());
            in.readTag();
            String name = in.readString();
            in.readTag();
            long whole = in.readInt64();
            in.readTag();
            return new Metric(name, whole, in.readDouble());
        }
    }

    private interface Body {
        void write(CodedOutputStream out) throws Exception;
    }

    private static byte[] message(Body body) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        body.write(out);
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] reference(Map<String, String> metadata) throws Exception {
        return message(out -> {
            out.writeString(1, "chat");
            out.writeString(2, "llm");
            for (Map.Entry<String, String> entry : metadata.entrySet()) {
                out.writeByteArray(3, message(inner -> {
                    inner.writeString(1, entry.getKey());
                    inner.writeString(2, entry.getValue());
                }));
            }
        });
    }

    private static Future<GrpcClientResponse<Buffer, Buffer>> open(String method, byte[] body) {
        return client.request(SocketAddress.inetSocketAddress(service.kedaPort().orElseThrow(), "127.0.0.1"))
                .compose(request -> {
                    request.serviceName(ServiceName.create("externalscaler.ExternalScaler"));
                    request.methodName(method);
                    return request.send(Buffer.buffer(body));
                });
    }

    private static GrpcClientResponse<Buffer, Buffer> respond(String method, byte[] body) throws Exception {
        return await(open(method, body).compose(response -> {
            response.handler(any -> {});
            // An error status fails the end; it is the answer here.
            return response.end().otherwiseEmpty().map(response);
        }));
    }

    private static byte[] call(String method, byte[] body) throws Exception {
        return await(open(method, body).compose(response -> response.last())).getBytes();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    }
}
