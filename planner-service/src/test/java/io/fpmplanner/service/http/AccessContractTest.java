/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.PlannerService;
import io.fpmplanner.service.RestClient;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.http.OpenApiDocument.Operation;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an interface with access configured answers to every operation is what the OpenAPI document says. */
class AccessContractTest {
    private static final String READ = "reader-token-0123456789";
    private static final String INGEST = "engines-token-0123456789";

    @TempDir
    private Path directory;

    private PlannerService start(String... more) throws Exception {
        Files.writeString(directory.resolve("read"), READ);
        Files.writeString(directory.resolve("ingest"), INGEST);
        List<String> settings = new java.util.ArrayList<>(List.of("http.port=0"));
        settings.addAll(List.of(more));
        return PlannerService.start(ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", "tcp://127.0.0.1:1"),
                        settings)
                .config());
    }

    private static HttpResponse<String> send(
            RestClient rest, OpenApiDocument document, Operation operation, String token) throws Exception {
        HttpRequest.Builder request = rest.request(document.example(operation))
                .method(operation.method(), HttpRequest.BodyPublishers.ofString("{}"))
                .header("Content-Type", "application/json");
        return rest.send(token.isEmpty() ? request : request.header("Authorization", "Bearer " + token));
    }

    private static void documented(OpenApiDocument document, Operation operation, HttpResponse<String> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        assertThat(document.faults(operation, answer.statusCode(), type, answer.body()))
                .as(operation + " answered " + answer.statusCode() + " " + type + " " + answer.body())
                .isEmpty();
    }

    @Test
    void nobodyGets401AndARoleThatDoesNotSufficeGets403() throws Exception {
        try (PlannerService service = start(
                "http.tokens.readFile=" + directory.resolve("read"),
                "http.tokens.ingestFile=" + directory.resolve("ingest"))) {
            RestClient rest = new RestClient(service.url());
            OpenApiDocument document = new OpenApiDocument(ContractRoutes.resource("openapi.yaml"));
            for (Operation operation : document.operations()) {
                boolean open = operation.path().matches("/(healthz|livez|readyz).*");
                HttpResponse<String> nobody = send(rest, document, operation, "");
                HttpResponse<String> wrong = send(rest, document, operation, READ + "x");
                boolean reads = operation.method().equals("GET");
                HttpResponse<String> other = send(rest, document, operation, reads ? INGEST : READ);
                if (!open) {
                    assertThat(nobody.statusCode()).as(operation.toString()).isEqualTo(401);
                    assertThat(nobody.headers().firstValue("WWW-Authenticate")).isPresent();
                    assertThat(wrong.statusCode()).as(operation.toString()).isEqualTo(401);
                    documented(document, operation, nobody);
                    documented(document, operation, other);
                    assertThat(other.statusCode())
                            .as(operation.toString())
                            .isIn(reads ? List.of(403) : List.of(403, 400, 404, 409, 422, 503, 200));
                }
            }
        }
    }

    @Test
    void tooManyRequestsGet429AndAForbiddenAddress403() throws Exception {
        OpenApiDocument document = new OpenApiDocument(ContractRoutes.resource("openapi.yaml"));
        try (PlannerService service = start("http.limits.requestsPerSecond=1")) {
            RestClient rest = new RestClient(service.url());
            for (Operation operation : document.operations()) {
                if (operation.path().matches("/(healthz|livez|readyz).*|.*/events")) {
                    continue;
                }
                HttpResponse<String> answer = send(rest, document, operation, "");
                while (answer.statusCode() != 429) {
                    answer = send(rest, document, operation, "");
                }
                assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
                documented(document, operation, answer);
            }
        }
        try (PlannerService service = start("http.allowedAddresses=192.0.2.0/24")) {
            RestClient rest = new RestClient(service.url());
            for (Operation operation : document.operations()) {
                HttpResponse<String> answer = send(rest, document, operation, "");
                assertThat(answer.statusCode()).as(operation.toString()).isEqualTo(403);
                documented(document, operation, answer);
            }
        }
    }

    @Test
    void kubernetesClientsAreRefusedByAStatus() throws Exception {
        try (PlannerService service = start("http.tokens.readFile=" + directory.resolve("read"))) {
            RestClient rest = new RestClient(service.url());

            HttpResponse<String> refused = rest.get("/apis/external.metrics.k8s.io/v1beta1");

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(RestClient.parse(refused.body()).get("kind").asText()).isEqualTo("Status");
            assertThat(RestClient.parse(refused.body()).get("reason").asText()).isEqualTo("Unauthorized");
            assertThat(RestClient.parse(refused.body()).get("message").asText()).contains("bearer token");
        }
    }
}
