/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.keda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.externalmetrics.TestPki;
import io.netty.pkitesting.X509Bundle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gRPC clients that have what the port asks for, or not. */
class GuardedScalerTest {
    private static final int SECONDS = 30;
    private static final String READ = "reader-token-0123456789";
    private static final String INGEST = "ingest-token-0123456789";
    private static final String SCALER = "externalscaler.ExternalScaler";

    private final TestPki pki = new TestPki();
    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private PlannerService start(String... more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "http.port=0", "keda.host=127.0.0.1", "keda.port=0", "pools[0].id=chat", "pools[0].sources=http"));
        settings.addAll(List.of(more));
        return PlannerService.start(
                ConfigLoader.load(Optional.empty(), Map.of(), settings).config());
    }

    private String tokens(String name, String token) throws Exception {
        return Files.writeString(directory.resolve(name), token).toString();
    }

    private GrpcStatus ask(PlannerService service, GrpcClient client, String method, @Nullable String token)
            throws Exception {
        int slash = method.indexOf('/');
        Future<GrpcClientResponse<Buffer, Buffer>> asked = client.request(
                        SocketAddress.inetSocketAddress(service.kedaPort().orElseThrow(), "127.0.0.1"))
                .compose(request -> {
                    request.serviceName(ServiceName.create(method.substring(0, slash)));
                    request.methodName(method.substring(slash + 1));
                    if (token != null) {
                        request.headers().set("authorization", "Bearer " + token);
                    }
                    return request.send(Buffer.buffer());
                });
        return await(asked.compose(response -> {
                    response.handler(any -> {});
                    return response.end().otherwiseEmpty().map(response);
                }))
                .status();
    }

    @Test
    void theTokensOfTheRestInterfaceAreAskedForOnEveryMethod() throws Exception {
        try (PlannerService service = start(
                "http.tokens.readFile=" + tokens("read", READ), "http.tokens.ingestFile=" + tokens("ingest", INGEST))) {
            GrpcClient client = GrpcClient.client(vertx);
            for (String method : List.of(
                    SCALER + "/IsActive",
                    SCALER + "/GetMetrics",
                    SCALER + "/StreamIsActive",
                    "dynamo.planner.plugin.v1.ProposePlugin/Propose",
                    "any.Service/Method")) {
                assertThat(ask(service, client, method, null)).as(method).isEqualTo(GrpcStatus.UNAUTHENTICATED);
                assertThat(ask(service, client, method, "wrong-token-0123456789"))
                        .as(method)
                        .isEqualTo(GrpcStatus.UNAUTHENTICATED);
                assertThat(ask(service, client, method, INGEST)).as(method).isEqualTo(GrpcStatus.PERMISSION_DENIED);
            }
            assertThat(ask(service, client, "dynamo.planner.plugin.v1.ProposePlugin/Propose", READ))
                    .isEqualTo(GrpcStatus.OK);
            // It got as far as to what it asks for, which is no pool.
            assertThat(ask(service, client, SCALER + "/IsActive", READ)).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        }
    }

    @Test
    void whoeverGuessesTokensIsHeldUp() throws Exception {
        try (PlannerService service =
                start("http.tokens.readFile=" + tokens("read", READ), "http.limits.requestsPerSecond=30")) {
            GrpcClient client = GrpcClient.client(vertx);
            GrpcStatus status = GrpcStatus.UNAUTHENTICATED;
            for (int i = 0; i < 10 && status == GrpcStatus.UNAUTHENTICATED; i++) {
                status = ask(service, client, SCALER + "/IsActive", "wrong-token-0123456789");
            }
            assertThat(status).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
        }
    }

    @Test
    void addressesThatAreNotAllowedAreRefused() throws Exception {
        try (PlannerService service = start("http.allowedAddresses=10.0.0.0/8")) {
            assertThat(ask(service, GrpcClient.client(vertx), SCALER + "/IsActive", null))
                    .isEqualTo(GrpcStatus.PERMISSION_DENIED);
        }
    }

    @Test
    void aPortThatIsOpenOnPurposeAsksNobody() throws Exception {
        try (PlannerService service = start("http.tokens.readFile=" + tokens("read", READ), "keda.access=anyone")) {
            assertThat(ask(service, GrpcClient.client(vertx), SCALER + "/IsActive", null))
                    .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        }
    }

    @Test
    void kedaComesWithACertificate() throws Exception {
        TestPki.write(directory, pki.server(Duration.ofDays(1)));
        Path authority = Files.writeString(directory.resolve("ca.crt"), pki.users.getRootCertificatePEM());
        String certificate = "tls.certificateFile=" + directory.resolve("tls.crt");
        String key = "tls.privateKeyFile=" + directory.resolve("tls.key");
        try (PlannerService service = start(
                "http." + certificate,
                "http." + key,
                "keda." + certificate,
                "keda." + key,
                "http.clients.caFile=" + authority,
                "http.clients.readNames=keda-operator")) {
            assertThat(ask(service, client(pki.client(pki.users, "keda-operator")), SCALER + "/IsActive", null))
                    .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
            assertThat(ask(service, client(pki.client(pki.users, "somebody")), SCALER + "/IsActive", null))
                    .isEqualTo(GrpcStatus.UNAUTHENTICATED);
            assertThat(ask(service, client(null), SCALER + "/IsActive", null)).isEqualTo(GrpcStatus.UNAUTHENTICATED);
        }
    }

    /** As KEDA does it with enableTLS, caCert, tlsClientCert and tlsClientKey. */
    private GrpcClient client(@Nullable X509Bundle identity) throws Exception {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setTrustOptions(
                        new PemTrustOptions().addCertValue(Buffer.buffer(pki.serving.getRootCertificatePEM())));
        if (identity != null) {
            options.setKeyCertOptions(new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(identity.getCertificatePathPEM()))
                    .addKeyValue(Buffer.buffer(identity.getPrivateKeyPEM())));
        }
        return GrpcClient.client(vertx, new GrpcClientOptions(), options);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    }
}
