/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fpmplanner.service.access.ClientCertificates;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Authorities as kube-apiserver publishes them for its extensions, in the ConfigMap {@code extension-apiserver-authentication}
 * of namespace kube-system. The pod's service account needs the role {@code extension-apiserver-authentication-reader} there.
 */
final class ClusterAuthorities implements AuthoritySource {
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final Vertx vertx;
    private final Access access;
    private final HttpClientAgent client;

    /**
     * How the API server is reached.
     *
     * @param host of the API server
     * @param port of the API server
     * @param directory with {@code token} and {@code ca.crt}, as mounted into every pod
     */
    record Access(String host, int port, Path directory) {
        private static final Path DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

        /**
         * From the variables that every pod has.
         *
         * @throws IllegalStateException outside a pod
         */
        static Access ofPod(Map<String, String> environment) {
            String host = environment.get("KUBERNETES_SERVICE_HOST");
            if (host == null) {
                throw new IllegalStateException("externalMetrics.clients.trust is cluster, but this is no pod of one"
                        + " (KUBERNETES_SERVICE_HOST is not set); set it to files or anyone");
            }
            int port = Integer.parseInt(environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"));
            return new Access(host, port, DIRECTORY);
        }
    }

    ClusterAuthorities(Vertx vertx, Access access) {
        this.vertx = vertx;
        this.access = access;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setSsl(true)
                .setConnectTimeout(TIMEOUT_MILLIS)
                .setTrustOptions(new PemTrustOptions()
                        .addCertPath(access.directory().resolve("ca.crt").toString())));
    }

    @Override
    public Future<ClientAuthorities> read() {
        // The token is read each time: the kubelet renews it.
        return vertx.executeBlocking(() ->
                        Files.readString(access.directory().resolve("token")).strip())
                .compose(token -> client.request(new RequestOptions()
                                .setMethod(HttpMethod.GET)
                                .setHost(access.host())
                                .setPort(access.port())
                                .setURI(PATH)
                                .setTimeout(TIMEOUT_MILLIS)
                                .putHeader("Accept", "application/json")
                                .putHeader("Authorization", "Bearer " + token))
                        .compose(request -> request.send()))
                .compose(ClusterAuthorities::body)
                .compose(ClusterAuthorities::parse);
    }

    private static Future<Buffer> body(HttpClientResponse response) {
        return response.body()
                .compose(
                        body -> response.statusCode() == 200
                                ? Future.succeededFuture(body)
                                : Future.failedFuture(
                                        new IOException(
                                                "GET " + PATH + " was answered " + response.statusCode()
                                                        + "; bind role extension-apiserver-authentication-reader of kube-system to the service account")));
    }

    private static Future<ClientAuthorities> parse(Buffer body) {
        try {
            JsonNode data = JSON.readTree(body.getBytes()).path("data");
            return Future.succeededFuture(new ClientAuthorities(
                    certificates(data, "requestheader-client-ca-file"),
                    names(data, "requestheader-allowed-names"),
                    names(data, "requestheader-username-headers"),
                    certificates(data, "client-ca-file")));
        } catch (IOException e) {
            return Future.failedFuture(e);
        }
    }

    private static List<X509Certificate> certificates(JsonNode data, String key) throws IOException {
        String pem = data.path(key).asText("");
        if (pem.isBlank()) {
            return List.of();
        }
        try {
            return ClientCertificates.ofPem(pem.getBytes(StandardCharsets.US_ASCII));
        } catch (CertificateException e) {
            throw new IOException(key + " of extension-apiserver-authentication: " + e.getMessage(), e);
        }
    }

    /** A JSON list of strings inside a string. */
    private static List<String> names(JsonNode data, String key) throws IOException {
        List<String> names = new ArrayList<>();
        JSON.readTree(data.path(key).asText("[]")).forEach(name -> names.add(name.asText()));
        return names;
    }
}
