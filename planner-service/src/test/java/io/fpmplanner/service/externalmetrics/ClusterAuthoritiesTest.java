/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.pkitesting.X509Bundle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that speaks for kube-apiserver, over TLS. */
class ClusterAuthoritiesTest {
    @TempDir
    private Path account;

    private final TestPki pki = new TestPki();
    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;
    private int status = 200;
    private String document = "";

    @BeforeEach
    void start() throws Exception {
        X509Bundle identity = pki.server(Duration.ofDays(1));
        Files.writeString(account.resolve("ca.crt"), pki.serving.getCertificatePEM());
        Files.writeString(account.resolve("token"), "secret\n");
        server = await(vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addCertValue(Buffer.buffer(identity.getCertificatePathPEM()))
                                .addKeyValue(Buffer.buffer(identity.getPrivateKeyPEM()))))
                .requestHandler(request -> {
                    boolean authorised = "Bearer secret".equals(request.getHeader("Authorization"))
                            && request.path()
                                    .equals(
                                            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
                    request.response().setStatusCode(authorised ? status : 403).end(document);
                })
                .listen(0, "127.0.0.1"));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    @Test
    void authoritiesAndNamesComeFromTheConfigMap() throws Exception {
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        map.putObject("data")
                .put("client-ca-file", pki.users.getCertificatePEM())
                .put("requestheader-client-ca-file", pki.frontProxies.getCertificatePEM())
                .put("requestheader-allowed-names", "[\"front-proxy-client\"]")
                .put("requestheader-username-headers", "[\"X-Remote-User\"]");
        document = map.toString();

        ClientAuthorities read = await(source().read());

        assertThat(read)
                .isEqualTo(new ClientAuthorities(
                        List.of(pki.frontProxies.getCertificate()),
                        List.of("front-proxy-client"),
                        List.of("X-Remote-User"),
                        List.of(pki.users.getCertificate())));
    }

    @Test
    void whatIsMissingIsSaid() {
        status = 403;
        assertThatThrownBy(() -> await(source().read()))
                .hasMessageContaining("403")
                .hasMessageContaining("extension-apiserver-authentication-reader");
        status = 200;
        document = "{\"data\": {\"client-ca-file\": \"rubbish\"}}";
        assertThatThrownBy(() -> await(source().read())).hasMessageContaining("client-ca-file");
    }

    private ClusterAuthorities source() {
        return new ClusterAuthorities(vertx, new ClusterAuthorities.Access("127.0.0.1", server.actualPort(), account));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
