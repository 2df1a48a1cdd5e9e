/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.StartException;
import io.fpmplanner.service.config.ConfigLoader;
import io.netty.pkitesting.X509Bundle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The TLS listener of a running service, asked by clients with all kinds of certificates. */
class ExternalMetricsListenerTest {
    private static final String DISCOVERY = "/apis/external.metrics.k8s.io/v1beta1";
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final TestPki pki = new TestPki();
    private PlannerService service;

    @BeforeEach
    void start() throws Exception {
        TestPki.write(directory, pki.server(Duration.ofDays(90)));
        Files.writeString(directory.resolve("front-proxy-ca.crt"), pki.frontProxies.getCertificatePEM());
        Files.writeString(directory.resolve("client-ca.crt"), pki.users.getCertificatePEM());
        service = start(List.of());
    }

    private PlannerService start(List<String> more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "http.port=0",
                "externalMetrics.host=127.0.0.1",
                "externalMetrics.port=0",
                "externalMetrics.tls.certificateFile=" + directory.resolve("tls.crt"),
                "externalMetrics.tls.privateKeyFile=" + directory.resolve("tls.key"),
                "externalMetrics.tls.reloadSeconds=1",
                "externalMetrics.clients.trust=files",
                "externalMetrics.clients.requestHeaderCaFile=" + directory.resolve("front-proxy-ca.crt"),
                "externalMetrics.clients.allowedNames=front-proxy-client",
                "externalMetrics.clients.clientCaFile=" + directory.resolve("client-ca.crt")));
        settings.addAll(more);
        return PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        settings)
                .config());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void theFrontProxyIsBelievedWhenItNamesTheUser() throws Exception {
        X509Bundle proxy = pki.client(pki.frontProxies, "front-proxy-client");

        HttpResponse<String> response =
                get(proxy, DISCOVERY, "X-Remote-User", "system:kube-aggregator", "X-Remote-Group", "system:masters");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("llm_desired_replicas");
        refused(get(proxy, DISCOVERY), "no_user");
    }

    @Test
    void aUserMayComeWithACertificateOfTheCluster() throws Exception {
        assertThat(get(pki.client(pki.users, "admin"), DISCOVERY).statusCode()).isEqualTo(200);
    }

    @Test
    void othersAreRefusedWithTheReasonAndCounted() throws Exception {
        refused(get(null, DISCOVERY, "X-Remote-User", "me"), "no_certificate");
        refused(get(pki.client(pki.frontProxies, "somebody"), DISCOVERY, "X-Remote-User", "me"), "name_not_allowed");
        refused(
                get(
                        pki.client(TestPki.authority("front-proxy-ca"), "front-proxy-client"),
                        DISCOVERY,
                        "X-Remote-User",
                        "me"),
                "untrusted_certificate");
        refused(
                get(pki.expiredClient(pki.frontProxies, "front-proxy-client"), DISCOVERY, "X-Remote-User", "me"),
                "untrusted_certificate");
        refused(
                get(pki.serverOnly(pki.frontProxies, "front-proxy-client"), DISCOVERY, "X-Remote-User", "me"),
                "untrusted_certificate");
        refused(get(null, DISCOVERY + "/namespaces/a/llm_desired_replicas"), "no_certificate");
        refused(get(null, "/openapi/v2"), "no_certificate");
    }

    @Test
    void healthNeedsNoCertificateAndNothingElseIsThere() throws Exception {
        assertThat(get(null, "/healthz").body()).isEqualTo("ok");
        assertThat(get(null, "/readyz?verbose").body()).contains("readyz check passed");
        assertThat(get(null, "/v1/pools").body()).isEqualTo("404 page not found\n");
        assertThat(get(null, "/metrics").statusCode()).isEqualTo(404);
        assertThat(get(null, "//apis/external.metrics.k8s.io/v1beta1").statusCode())
                .isIn(401, 404);
    }

    @Test
    void headersOfManyGroupsPassAndHugeOnesAreRefused() throws Exception {
        X509Bundle proxy = pki.client(pki.frontProxies, "front-proxy-client");

        assertThat(get(proxy, DISCOVERY, "X-Remote-User", "u", "X-Remote-Group", "g".repeat(30_000))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> huge = get(proxy, DISCOVERY, "X-Remote-User", "u".repeat(70_000));
        assertThat(huge.statusCode()).isEqualTo(431);
        assertThat(RestClient.parse(huge.body()).get("kind").asText()).isEqualTo("Status");
        assertThat(get(proxy, DISCOVERY + "?labelSelector=" + "a".repeat(20_000))
                        .statusCode())
                .isEqualTo(414);
        assertThat(metrics())
                .contains("route=\"unreadable\",status=\"431\"} 1")
                .contains("route=\"unreadable\",status=\"414\"} 1");
    }

    @Test
    void everyWrongRequestIsAStatusThatIsCounted() throws Exception {
        X509Bundle user = pki.client(pki.users, "admin");
        String values = DISCOVERY + "/namespaces/llm/llm_desired_replicas";
        Map<String, Integer> wrong = Map.of(
                values + "?labelSelector=pool%20in%20x", 400,
                values + "?labelSelector=pool%3Dother", 404,
                DISCOVERY + "/namespaces/llm/llm_nothing", 404,
                values + "?labelSelector=pool%3Dchat", 503,
                values + "?watch=true", 405);
        for (Map.Entry<String, Integer> request : wrong.entrySet()) {
            HttpResponse<String> answer = get(user, request.getKey());
            assertThat(answer.statusCode()).as(request.getKey()).isEqualTo(request.getValue());
            JsonNode status = RestClient.parse(answer.body());
            assertThat(status.get("kind").asText()).isEqualTo("Status");
            assertThat(status.get("code").asInt()).isEqualTo(request.getValue());
            assertThat(status.get("message").asText()).isNotBlank();
        }
        HttpResponse<String> written = client(user)
                .send(
                        HttpRequest.newBuilder(uri(values))
                                .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(RestClient.parse(written.body()).get("reason").asText()).isEqualTo("MethodNotAllowed");
        String template = "route=\"" + DISCOVERY + "/namespaces/:namespace/:metric\",status=\"";
        assertThat(metrics())
                .containsPattern("method=\"GET\"," + template + "400\"} 1")
                .containsPattern("method=\"GET\"," + template + "404\"} 2")
                .containsPattern("method=\"GET\"," + template + "503\"} 1")
                .containsPattern("method=\"GET\"," + template + "405\"} 1")
                .containsPattern("method=\"PUT\"," + template + "405\"} 1");
    }

    @Test
    void aRenewedCertificateIsServedWithoutARestartAndABrokenOneIsNot() throws Exception {
        X509Certificate first = servedCertificate();
        X509Bundle renewed = pki.server(Duration.ofDays(30));
        TestPki.write(directory, renewed);

        await(() -> servedCertificate().equals(renewed.getCertificate()));
        assertThat(first).isNotEqualTo(renewed.getCertificate());
        await(() -> metrics()
                .contains("fpm_planner_serving_certificate_not_after_timestamp_seconds "
                        + seconds(renewed.getCertificate())));

        TestPki.replace(directory.resolve("tls.crt"), "no certificate");
        await(() -> metrics().contains("fpm_planner_certificate_reloads_total{result=\"failure\"} ")
                && !metrics().contains("fpm_planner_certificate_reloads_total{result=\"failure\"} 0.0"));
        assertThat(servedCertificate()).isEqualTo(renewed.getCertificate());
    }

    @Test
    void aNewAuthorityOfFrontProxiesIsTakenOver() throws Exception {
        X509Bundle next = TestPki.authority("front-proxy-ca-2");
        X509Bundle proxy = pki.client(next, "front-proxy-client");
        refused(get(proxy, DISCOVERY, "X-Remote-User", "u"), "untrusted_certificate");

        TestPki.replace(directory.resolve("front-proxy-ca.crt"), next.getCertificatePEM());

        await(() -> get(proxy, DISCOVERY, "X-Remote-User", "u").statusCode() == 200);
    }

    /** Knows none of the authorities here. */
    private SSLSocket distrustful() throws Exception {
        return (SSLSocket) SSLSocketFactory.getDefault()
                .createSocket("127.0.0.1", service.externalMetricsPort().orElseThrow());
    }

    @Test
    void anExpiredServingCertificateDoesNotTakeThePlaceOfAValidOne() throws Exception {
        X509Bundle expired = pki.server(Duration.ofDays(-1));
        TestPki.write(directory, expired);

        await(() -> metrics().contains("fpm_planner_certificate_reloads_total{result=\"failure\"} ")
                && !metrics().contains("fpm_planner_certificate_reloads_total{result=\"failure\"} 0.0"));
        assertThat(metrics())
                .doesNotContain("fpm_planner_serving_certificate_not_after_timestamp_seconds "
                        + seconds(expired.getCertificate()));
        assertThat(get(null, "/healthz").statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> distrustful().startHandshake()).isInstanceOf(SSLException.class);
        await(() -> metrics().contains("fpm_planner_external_metrics_handshakes_failed_total ")
                && !metrics().contains("fpm_planner_external_metrics_handshakes_failed_total 0.0"));

        X509Bundle renewed = pki.server(Duration.ofDays(30));
        TestPki.write(directory, renewed);

        await(() -> metrics()
                .contains("fpm_planner_serving_certificate_not_after_timestamp_seconds "
                        + seconds(renewed.getCertificate())));
        assertThat(get(null, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutTheNamedFilesItDoesNotStart() {
        assertThatThrownBy(() -> start(List.of("externalMetrics.tls.certificateFile=/nowhere/tls.crt")))
                .isInstanceOf(StartException.class)
                .hasMessage("no such file: /nowhere/tls.crt");
        assertThatThrownBy(() -> start(List.of("externalMetrics.clients.requestHeaderCaFile=/nowhere/ca.crt")))
                .isInstanceOf(StartException.class)
                .hasMessage("no such file: /nowhere/ca.crt");
        assertThatThrownBy(() -> start(List.of("externalMetrics.clients.trust=cluster")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("KUBERNETES_SERVICE_HOST");
    }

    private void refused(HttpResponse<String> response, String reason) throws Exception {
        assertThat(response.statusCode()).isEqualTo(401);
        JsonNode status = RestClient.parse(response.body());
        assertThat(status.get("kind").asText()).isEqualTo("Status");
        assertThat(status.get("reason").asText()).isEqualTo("Unauthorized");
        assertThat(status.get("message").asText()).startsWith("Unauthorized: ");
        assertThat(metrics())
                .contains("fpm_planner_external_metrics_refused_total{reason=\"" + reason + "\"}")
                .doesNotContain("fpm_planner_external_metrics_refused_total{reason=\"" + reason + "\"} 0.0");
    }

    private HttpResponse<String> get(X509Bundle identity, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(DEADLINE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client(identity).send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpClient client(X509Bundle identity) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(pki.client(identity))
                .build();
    }

    private URI uri(String path) {
        return URI.create("https://127.0.0.1:" + service.externalMetricsPort().orElseThrow() + path);
    }

    private X509Certificate servedCertificate() throws Exception {
        return (X509Certificate) client(null)
                .send(HttpRequest.newBuilder(uri("/healthz")).build(), HttpResponse.BodyHandlers.ofString())
                .sslSession()
                .orElseThrow()
                .getPeerCertificates()[0];
    }

    private String metrics() throws Exception {
        return new RestClient(service.url()).get("/metrics").body();
    }

    /** As the exposition writes it. */
    private static String seconds(X509Certificate certificate) {
        return Double.toString((double) certificate.getNotAfter().toInstant().getEpochSecond());
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    /** Each question paces the next. */
    private static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("never came true").isLessThan(deadline);
        }
    }
}
