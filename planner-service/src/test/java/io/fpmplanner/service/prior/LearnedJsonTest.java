/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.prior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.LearnedStepTimes;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimePrior;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LearnedJsonTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static LearnedStepTimes learned() {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        StepWorkload step = new StepWorkload();
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            int batch = 1 + random.nextInt(60);
            step.clear().decode(batch, batch * 700.0, random.nextInt(1000));
            if (i % 7 == 0) {
                step.prefill(1, random.nextInt(3000), random.nextInt(500), 0);
            }
            model.observe(step, 0.01 + 1e-4 * step.scheduledTokens() * (1 + 0.1 * random.nextDouble()));
        }
        return model.export();
    }

    private static ObjectNode document() {
        return LearnedJson.write(
                learned(), JsonNodeFactory.instance.objectNode().put("pool", "chat"));
    }

    @Test
    void writtenAndReadAgainItIsTheSame() throws Exception {
        JsonNode text = JSON.readTree(JSON.writeValueAsString(document()));

        assertThat(LearnedJson.read(text)).isEqualTo(learned());
        assertThat(text.at("/source/pool").asText()).isEqualTo("chat");
    }

    @Test
    void refusesDocumentsOfAnotherKindOrVersion() {
        assertThatThrownBy(() -> LearnedJson.read(document().put("format", "weights")))
                .hasMessage("format must be 'fpm-planner/learned-step-times', was \"weights\"");
        assertThatThrownBy(() -> LearnedJson.read(document().put("version", 1))).hasMessage("version must be 3, was 1");
        assertThatThrownBy(() -> LearnedJson.read(JsonNodeFactory.instance.objectNode()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesUnknownFeatures() {
        ObjectNode document = document();
        ((ArrayNode) document.get("features")).set(2, "flux");

        assertThatThrownBy(() -> LearnedJson.read(document))
                .hasMessage("features has 'flux', which this version does not know");
    }

    @Test
    void refusesWhatNoSumOfSquaresCanBe() {
        ObjectNode document = document();
        ArrayNode information = (ArrayNode) document.at("/squares/information");
        double first = information.get(0).asDouble();
        information.set(0, -first);
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessageContaining("positive semi-definite");

        information.set(0, 0.5 * first);
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessageContaining("smallest eigenvalue");

        information.set(0, Double.NaN);
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessageContaining("must be a finite number, was NaN");

        information.set(0, "1");
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessage("information must be a number, was \"1\"");

        information.remove(0);
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessageContaining("must have 136 entries, has 135");
    }

    @Test
    void refusesMissingMembersAndOddTables() {
        ObjectNode document = document();
        JsonNode squares = document.remove("squares");
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessage("squares is missing");
        document.set("squares", squares);
        ((ObjectNode) document.at("/scales/0")).put("bucket", 9999);
        assertThatThrownBy(() -> LearnedJson.read(document)).hasMessageContaining("scales must ascend by bucket");
    }

    static List<String> names() {
        return PriorLibrary.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyPriorThatComesWithThePlannerLoadsAndNamesItsSource(String name) throws Exception {
        StepTimePrior prior = PriorLibrary.load(name);

        assertThat(prior.name()).isEqualTo(name);
        assertThat(prior.learned().framesLearned()).isGreaterThan(1000);
        try (var stream = StepTimeModel.class.getResourceAsStream("priors/" + name + ".json")) {
            JsonNode source = JSON.readTree(stream).get("source");
            for (String member : List.of("engine", "model", "gpu", "recording", "publisher", "licence")) {
                assertThat(source.path(member).asText()).as(member).isNotEmpty();
            }
        }
    }

    @Test
    void thereIsAPriorForEachRecordedEngine() {
        assertThat(PriorLibrary.names()).hasSize(8).contains("vllm-0.20.1-b300-qwen3-32b-tp1");
    }

    @Test
    void aFileServesAsWell(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("mine.json");
        Files.writeString(file, JSON.writeValueAsString(document()));
        assertThat(PriorLibrary.load(file.toString()).learned()).isEqualTo(learned());

        Files.writeString(file, "{");
        assertThatThrownBy(() -> PriorLibrary.load(file.toString())).hasMessageContaining("is not JSON");
        assertThatThrownBy(() -> PriorLibrary.load("qwen"))
                .hasMessageContaining("'qwen' is neither a file nor one of vllm-0.20.1-b300-qwen3-32b-tp1, ");
    }
}
