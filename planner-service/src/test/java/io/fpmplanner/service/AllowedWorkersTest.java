/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ConfigWriter;
import io.fpmplanner.service.config.ServiceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllowedWorkersTest {
    private static ServiceConfig config(String endpoint, String... more) throws Exception {
        List<String> settings = new ArrayList<>(
                List.of("http.port=0", "tickSeconds=0.1", "pools[0].id=chat", "pools[0].sources=" + endpoint));
        settings.addAll(List.of(more));
        return ConfigLoader.load(Optional.empty(), Map.of(), settings).config();
    }

    @Test
    void othersAreRejectedAndCounted() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service =
                        PlannerService.start(config(publisher.endpoint(), "pools[0].allowedWorkers=vllm-*,solo"))) {
            publisher.awaitSubscriber();
            publisher.sendDecode("vllm-7");
            publisher.sendDecode("intruder");
            publisher.sendDecode("solo");
            publisher.sendDecode("soloist");
            JsonNode workers = new RestClient(service.url())
                    .await(
                            "/v1/pools/chat/workers",
                            d -> d.at("/workers").size() == 2
                                    && d.at("/endpoints/0/rejected/UNKNOWN_WORKER")
                                                    .asInt()
                                            == 2);
            assertThat(workers.at("/workers").findValuesAsText("workerId")).containsExactlyInAnyOrder("vllm-7", "solo");
        }
    }

    @Test
    void theListIsPartOfTheConfiguration() throws Exception {
        assertThat(ConfigWriter.yaml(config("http", "pools[0].allowedWorkers=vllm-*,solo")))
                .contains("allowedWorkers")
                .contains("vllm-*");
        assertThatThrownBy(() -> config("http", "pools[0].allowedWorkers=x," + "y".repeat(300)))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .startsWith("pools[0].allowedWorkers[1]"));
    }
}
