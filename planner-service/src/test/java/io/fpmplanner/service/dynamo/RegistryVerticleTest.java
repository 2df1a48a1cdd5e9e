/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.DynamoSettings.Registry;
import io.fpmplanner.service.config.HostPorts;
import io.fpmplanner.service.dynamo.FakeRegistry.Call;
import io.fpmplanner.service.dynamo.FakeRegistry.Reply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin registers itself with a registry that speaks real gRPC. Waits are a thousandth of the real ones. */
class RegistryVerticleTest {
    private static final double PACE = 0.001;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final MeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private String register(int port, Optional<Path> tokenFile) throws Exception {
        Registry registry = new Registry(
                new HostPorts("127.0.0.1", port, port), "grpc://planner.llm.svc:9090", "fpm-planner", 1, tokenFile);
        return await(vertx.deployVerticle(new RegistryVerticle(registry, "1.2.3", meters, PACE)));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void itRegistersBeatsAndTakesItsLeave() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "first-secret\n");
        try (FakeRegistry dynamo = new FakeRegistry(0, call -> Reply.YES)) {
            String deployment = register(dynamo.port(), Optional.of(token));

            assertThat(dynamo.next())
                    .isEqualTo(new Call(
                            "Register",
                            Map.of(
                                    1, "fpm-planner",
                                    2, "propose",
                                    3, "1",
                                    4, "grpc://planner.llm.svc:9090",
                                    5, "1.2.3",
                                    8, "observations.workers",
                                    9, "1.0",
                                    10, "first-secret")));
            assertThat(dynamo.next()).isEqualTo(new Call("Heartbeat", Map.of(1, "fpm-planner", 2, "first-secret")));
            Files.writeString(token, "second-secret");
            Call renewed = dynamo.next();
            while (!renewed.fields().get(2).equals("second-secret")) {
                renewed = dynamo.next();
            }
            assertThat(renewed.method()).isEqualTo("Heartbeat");
            assertThat(meters.get("fpm_planner.dynamo.registered").gauge().value())
                    .isEqualTo(1);

            await(vertx.undeploy(deployment));

            assertThat(dynamo.next("Unregister").fields())
                    .isEqualTo(Map.of(1, "fpm-planner", 2, "graceful_shutdown", 3, "second-secret"));
        }
    }

    @Test
    void whenTheRegistryStartsAnewItRegistersAnew() throws Exception {
        AtomicBoolean forgetful = new AtomicBoolean();
        try (FakeRegistry dynamo = new FakeRegistry(
                0, call -> call.method().equals("Heartbeat") && forgetful.getAndSet(false) ? Reply.NO : Reply.YES)) {
            register(dynamo.port(), Optional.empty());
            assertThat(dynamo.next("Register").fields()).doesNotContainKey(11);
            dynamo.next("Heartbeat");

            forgetful.set(true);

            dynamo.next("Register");
            dynamo.next("Heartbeat");
        }
    }

    @Test
    void aRegistryThatIsAwayIsWaitedForAndErrorsAreOvercome() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        register(port, Optional.empty());
        AtomicBoolean broken = new AtomicBoolean(true);
        try (FakeRegistry dynamo = new FakeRegistry(
                port, call -> broken.getAndSet(false) ? Reply.error(GrpcStatus.UNAUTHENTICATED) : Reply.YES)) {
            dynamo.next("Register");
            dynamo.next("Register");
            dynamo.next("Heartbeat");
            broken.set(true);
            while (broken.get()) {
                dynamo.next("Heartbeat");
            }
            // The one that failed, and the one that shows that its failure was taken in.
            dynamo.next("Heartbeat");
            dynamo.next("Heartbeat");
            assertThat(failed("register")).isPositive();
            assertThat(failed("heartbeat")).isPositive();
        }
    }

    private double failed(String call) {
        return meters.get("fpm_planner.dynamo.registry.calls")
                .tags("call", call, "result", "failed")
                .counter()
                .count();
    }

    @Test
    void aRegistrationLeftByAKilledRunIsTakenBack() throws Exception {
        AtomicBoolean there = new AtomicBoolean(true);
        try (FakeRegistry dynamo = new FakeRegistry(0, call -> {
            if (call.method().equals("Unregister")) {
                there.set(false);
            }
            return call.method().equals("Register") && there.get()
                    ? Reply.no("duplicate_plugin_id: must Unregister before re-Register")
                    : Reply.YES;
        })) {
            register(dynamo.port(), Optional.empty());

            assertThat(List.of(
                            dynamo.next().method(),
                            dynamo.next().method(),
                            dynamo.next().method()))
                    .containsExactly("Register", "Unregister", "Register");
            dynamo.next("Heartbeat");
        }
    }

    @Test
    void aRefusalIsCountedAndAnAnswerThatIsNoneToo() throws Exception {
        AtomicBoolean malformed = new AtomicBoolean();
        try (FakeRegistry dynamo = new FakeRegistry(
                0,
                call -> malformed.getAndSet(true)
                        ? new Reply(GrpcStatus.OK, Buffer.buffer(new byte[] {0x0a, 0x7f}))
                        : Reply.no("auth_failed"))) {
            register(dynamo.port(), Optional.empty());
            for (int i = 0; i < 3; i++) {
                assertThat(dynamo.next().method()).isEqualTo("Register");
            }
            assertThat(meters.get("fpm_planner.dynamo.registry.calls")
                            .tags("call", "register", "result", "refused")
                            .counter()
                            .count())
                    .isPositive();
            assertThat(failed("register")).isPositive();
            assertThat(meters.get("fpm_planner.dynamo.registered").gauge().value())
                    .isZero();
        }
    }

    @Test
    void aServiceRegistersWhereItIsConfiguredTo() throws Exception {
        try (FakeRegistry dynamo = new FakeRegistry(0, call -> Reply.YES)) {
            PlannerService service = PlannerService.start(ConfigLoader.load(
                            Optional.empty(),
                            Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                            List.of(
                                    "http.port=0",
                                    "keda.host=127.0.0.1",
                                    "keda.port=0",
                                    "dynamo.registry.address=127.0.0.1:" + dynamo.port(),
                                    "dynamo.registry.endpoint=grpc://127.0.0.1:9090",
                                    "dynamo.registry.priority=3"))
                    .config());
            Call call = dynamo.next("Register");
            RestClient rest = new RestClient(service.url());
            while (!rest.get("/metrics").body().contains("fpm_planner_dynamo_registered 1.0")) {
                // Each question paces the next.
                assertThat(call.fields()).containsEntry(3, "3").containsEntry(4, "grpc://127.0.0.1:9090");
            }
            assertThat(rest.get("/metrics").body())
                    .contains("fpm_planner_dynamo_registry_calls_total{call=\"register\",result=\"ok\"} 1.0");

            service.close();

            dynamo.next("Unregister");
        }
    }
}
