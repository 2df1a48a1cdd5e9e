/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ConfigWriter;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.externalmetrics.TestPki;
import io.netty.pkitesting.X509Bundle;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running service whose REST interface asks who is there. */
class AccessTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final String READ = "reader-token-0123456789";
    private static final String OPERATE = "operator-token-0123456789";

    @TempDir
    private Path directory;

    private static ServiceConfig config(List<String> more) throws Exception {
        List<String> settings = new ArrayList<>(List.of("http.port=0"));
        settings.addAll(more);
        return ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        settings)
                .config();
    }

    private List<String> tokens() throws Exception {
        Files.writeString(directory.resolve("read"), READ);
        Files.writeString(directory.resolve("operate"), "alice " + OPERATE);
        return List.of(
                "http.tokens.readFile=" + directory.resolve("read"),
                "http.tokens.operateFile=" + directory.resolve("operate"));
    }

    private static HttpResponse<String> send(
            HttpClient client, PlannerService service, String method, String path, @Nullable String token)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.url() + path))
                .timeout(DEADLINE)
                .method(method, HttpRequest.BodyPublishers.ofString("{}"))
                .header("Content-Type", "application/json");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void eachRoleOpensItsRoutesAndSecretsStaySecret() throws Exception {
        ServiceConfig config = config(tokens());
        assertThat(ConfigWriter.yaml(config)).doesNotContain(READ, OPERATE);
        HttpClient client = HttpClient.newHttpClient();
        try (PlannerService service = PlannerService.start(config)) {
            HttpResponse<String> unknown = send(client, service, "GET", "/v1/pools", null);
            assertThat(unknown.statusCode()).isEqualTo(401);
            assertThat(unknown.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(challenge -> assertThat(challenge).contains("Basic"));
            assertThat(unknown.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(send(client, service, "GET", "/nothing-here", null).statusCode())
                    .isEqualTo(401);
            assertThat(send(client, service, "GET", "/livez", null).statusCode())
                    .isEqualTo(200);
            assertThat(send(client, service, "GET", "/v1/pools", READ).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> forbidden = send(client, service, "DELETE", "/v1/pools/chat/workload", READ);
            assertThat(forbidden.statusCode()).isEqualTo(403);
            assertThat(forbidden.body()).contains("OPERATE").doesNotContain(READ);
            assertThat(send(client, service, "DELETE", "/v1/pools/chat/workload", OPERATE)
                            .statusCode())
                    .isLessThan(300);
            assertThat(send(client, service, "GET", "/metrics", OPERATE).body())
                    .contains("fpm_planner_http_refused_total{reason=\"unknown\"} 2.0")
                    .contains("fpm_planner_http_refused_total{reason=\"role\"} 1.0");
        }
    }

    @Test
    void everyAnswerHasTheHeadersThatKeepBrowsersInBounds() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (PlannerService service = PlannerService.start(config(List.of()))) {
            for (String path : List.of("/v1/pools", "/nothing", "/", "/docs", "/metrics", "/livez")) {
                HttpResponse<String> answer = send(client, service, "GET", path, null);
                assertThat(answer.headers().firstValue("Content-Security-Policy"))
                        .as(path)
                        .hasValueSatisfying(
                                policy -> assertThat(policy).contains("default-src", "frame-ancestors 'none'"));
                assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                        .contains("nosniff");
                assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
                assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
                assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                        .isEmpty();
            }
            assertThat(deleteFrom(client, service, "Sec-Fetch-Site", "cross-site"))
                    .isEqualTo(403);
            assertThat(deleteFrom(client, service, "Origin", "http://elsewhere.example"))
                    .isEqualTo(403);
            assertThat(deleteFrom(client, service, "Origin", "null")).isEqualTo(403);
            assertThat(deleteFrom(client, service, "Origin", service.url())).isEqualTo(204);
        }
    }

    private static int deleteFrom(HttpClient client, PlannerService service, String header, String value)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service.url() + "/v1/pools/chat/workload"))
                .header(header, value)
                .DELETE()
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    @Test
    void moreThanTheRateGets429AndIsToldWhenToTryAgain() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (PlannerService service = PlannerService.start(config(List.of("http.limits.requestsPerSecond=2")))) {
            HttpResponse<String> answer;
            int asked = 0;
            do {
                answer = send(client, service, "GET", "/v1/pools", null);
                asked++;
            } while (answer.statusCode() == 200 && asked < 1000);
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            assertThat(send(client, service, "GET", "/readyz", null).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        try (PlannerService service = PlannerService.start(config(List.of("http.limits.connections=3")))) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
                open.add(socket);
                socket.getOutputStream()
                        .write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().read()).isPositive();
            }
            try (Socket surplus = new Socket(InetAddress.getLoopbackAddress(), service.port());
                    InputStream in = surplus.getInputStream()) {
                surplus.setSoTimeout((int) DEADLINE.toMillis());
                assertThat(in.read()).isEqualTo(-1);
            }
            open.get(0).close();
            HttpClient client = HttpClient.newHttpClient();
            long deadline = System.nanoTime() + DEADLINE.toNanos();
            int status = 0;
            while (status != 200 && System.nanoTime() < deadline) {
                try {
                    status = send(client, service, "GET", "/livez", null).statusCode();
                } catch (java.io.IOException closedAgain) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                }
            }
            assertThat(status).isEqualTo(200);
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void tlsAndClientCertificates() throws Exception {
        TestPki pki = new TestPki();
        TestPki.write(directory, pki.server(Duration.ofDays(90)));
        Files.writeString(directory.resolve("ca.crt"), pki.users.getCertificatePEM());
        ServiceConfig config = config(List.of(
                "http.tls.certificateFile=" + directory.resolve("tls.crt"),
                "http.tls.privateKeyFile=" + directory.resolve("tls.key"),
                "http.tls.reloadSeconds=1",
                "http.clients.caFile=" + directory.resolve("ca.crt"),
                "http.clients.readNames=board",
                "http.clients.operateNames=admin"));
        try (PlannerService service = PlannerService.start(config)) {
            assertThat(service.url()).startsWith("https://");
            HttpClient board = client(pki, pki.client(pki.users, "board"));
            assertThat(send(board, service, "GET", "/v1/pools", null).statusCode())
                    .isEqualTo(200);
            assertThat(send(board, service, "DELETE", "/v1/pools/chat/workload", null)
                            .statusCode())
                    .isEqualTo(403);
            HttpClient admin = client(pki, pki.client(pki.users, "admin"));
            HttpResponse<String> done = send(admin, service, "DELETE", "/v1/pools/chat/workload", null);
            assertThat(done.statusCode()).isLessThan(300);
            assertThat(done.headers().firstValue("Strict-Transport-Security")).isPresent();
            HttpClient stranger = client(pki, pki.client(TestPki.authority("else"), "admin"));
            assertThat(send(stranger, service, "GET", "/v1/pools", null).statusCode())
                    .isEqualTo(401);
            HttpClient nobody = client(pki, null);
            assertThat(send(nobody, service, "GET", "/v1/pools", null).statusCode())
                    .isEqualTo(401);
            assertThat(send(nobody, service, "GET", "/livez", null).statusCode())
                    .isEqualTo(200);

            X509Bundle renewed = pki.server(Duration.ofDays(30));
            TestPki.write(directory, renewed);
            long deadline = System.nanoTime() + DEADLINE.toNanos();
            while (!send(client(pki, null), service, "GET", "/livez", null)
                    .sslSession()
                    .orElseThrow()
                    .getPeerCertificates()[0]
                    .equals(renewed.getCertificate())) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
    }

    private static HttpClient client(TestPki pki, @Nullable X509Bundle identity) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(pki.client(identity))
                .build();
    }

    @Test
    void whatCannotBeReadIsNamedWithoutItsContent() throws Exception {
        Path file = Files.writeString(directory.resolve("short"), "hunter2");
        assertThatThrownBy(() -> PlannerService.start(config(List.of("http.tokens.readFile=" + file))))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void withoutTokensNothingIsAskedFor() throws Exception {
        try (PlannerService service = PlannerService.start(config(List.of()))) {
            assertThat(new RestClient(service.url()).get("/v1/pools").statusCode())
                    .isEqualTo(200);
        }
    }
}
