/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessRulesTest {
    private record Operation(String method, String path) {}

    static List<Operation> operations() throws Exception {
        List<Operation> operations = new ArrayList<>();
        try (InputStream contract =
                AccessRulesTest.class.getResourceAsStream("/io/fpmplanner/service/http/openapi.yaml")) {
            JsonNode paths = new YAMLMapper().readTree(contract).get("paths");
            paths.properties()
                    .forEach(path -> path.getValue().fieldNames().forEachRemaining(key -> {
                        if (List.of("get", "put", "post", "delete", "patch").contains(key)) {
                            operations.add(new Operation(key.toUpperCase(Locale.ROOT), path.getKey()));
                        }
                    }));
        }
        return operations;
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationOfTheContractHasARole(Operation operation) {
        String path = operation.path().replaceAll("\\{\\w+}", "some-name");
        assertThat(AccessRules.isConsidered(operation.method(), path))
                .as("%s has no rule in AccessRules", operation)
                .isTrue();
        boolean health = path.matches("/(healthz|livez|readyz)(/.*)?");
        assertThat(AccessRules.needed(operation.method(), path).isEmpty())
                .as("open to everybody")
                .isEqualTo(health);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pools, READ",
        "HEAD, /v1/pools, READ",
        "GET, /metrics, READ",
        "GET, /, READ",
        "POST, /v1/pools/a/what-if, READ",
        "POST, /v1/pools/a/what-if/curve, READ",
        "POST, /v1/frames, INGEST",
        "POST, /v1/pools/a/frames, INGEST",
        "POST, /v1/pools/a/observations, INGEST",
        "PUT, /v1/pools/a/workload, OPERATE",
        "DELETE, /v1/pools/a/workload, OPERATE",
        "POST, /v1/unheard-of, OPERATE",
        "PATCH, /v1/pools/a, OPERATE",
        "POST, /v1/pools/a/b/frames, OPERATE",
        "POST, /healthz, OPERATE",
    })
    void rolesAreAsWritten(String method, String path, AccessRole role) {
        assertThat(AccessRules.needed(method, path)).contains(role);
    }

    @Test
    void whoOperatesMayDoTheRest() {
        assertThat(AccessRole.OPERATE.includes(AccessRole.INGEST)).isTrue();
        assertThat(AccessRole.READ.includes(AccessRole.INGEST)).isFalse();
        assertThat(AccessRole.INGEST.includes(AccessRole.READ)).isFalse();
    }
}
