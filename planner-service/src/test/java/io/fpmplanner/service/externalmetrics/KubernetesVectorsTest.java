/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.externalmetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Kubernetes' own Go code makes of quantities and label selectors, where its recorded answers are at hand. */
class KubernetesVectorsTest {
    /** Go's 64-bit milli-value overflows for these; ours does not. */
    private static final Set<String> OVERFLOWS = Set.of("9223372036854775807", "9223372036854775808", "1E");

    private static JsonNode vectors;

    @BeforeAll
    static void read() throws Exception {
        Path file = Path.of(System.getProperty("fpm.shared.reference", "absent"), "k8s-oracle-vectors.json");
        Assumptions.assumeTrue(Files.exists(file), "no vectors of Kubernetes at " + file);
        vectors = new JsonMapper().readTree(file.toFile());
    }

    @Test
    void everyQuantityReadsAsInGo() {
        SoftAssertions soft = new SoftAssertions();
        for (JsonNode vector : vectors.get("quantities")) {
            String text = vector.get("in").asText();
            if (vector.has("err")) {
                assertThatThrownBy(() -> Quantity.parse(text))
                        .as(text)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(vector.get("err").asText());
                continue;
            }
            Quantity quantity = Quantity.parse(text);
            String written = vector.get("str").asText();
            // Go gives some texts back as they came, so canonical form is asked of the others only.
            if (written.equals(text)) {
                soft.assertThat(Quantity.parse(quantity.toString()).value())
                        .as(text)
                        .isEqualByComparingTo(quantity.value());
            } else {
                soft.assertThat(quantity).as(text).hasToString(written);
            }
            if (!OVERFLOWS.contains(text)) {
                soft.assertThat(quantity.milliValue().longValueExact())
                        .as(text)
                        .isEqualTo(vector.get("milli").asLong());
            }
        }
        soft.assertAll();
        assertThat(vectors.get("quantities").size()).isGreaterThan(300);
    }

    @Test
    void everySelectorMatchesAndComplainsAsInGo() {
        SoftAssertions soft = new SoftAssertions();
        for (JsonNode vector : vectors.get("selectors")) {
            String text = vector.get("selector").asText();
            if (vector.has("err")) {
                soft.assertThatThrownBy(() -> LabelSelector.parse(text))
                        .as(text)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(vector.get("err").asText());
                continue;
            }
            LabelSelector selector = LabelSelector.parse(text);
            soft.assertThat(selector).as(text).hasToString(vector.get("str").asText());
            soft.assertThat(selector.matches(labels(vector.get("labels"))))
                    .as(text + " on " + vector.get("labels"))
                    .isEqualTo(vector.get("match").asBoolean());
        }
        soft.assertAll();
        assertThat(vectors.get("selectors").size()).isGreaterThan(600);
    }

    private static Map<String, String> labels(JsonNode node) {
        Map<String, String> labels = new HashMap<>();
        node.properties()
                .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asText()));
        return labels;
    }
}
