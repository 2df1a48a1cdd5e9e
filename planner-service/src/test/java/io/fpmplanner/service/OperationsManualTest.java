/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fpmplanner.core.pool.RankActivity;
import io.fpmplanner.service.cli.PlannerCommand;
import io.fpmplanner.service.config.ConfigKey;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ConfigSchema;
import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.externalmetrics.ExternalMetric;
import io.fpmplanner.service.metrics.PlanMetric;
import io.fpmplanner.service.prior.PriorLibrary;
import io.fpmplanner.service.source.EndpointState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code docs/operations.md} has every key, variable, metric, state and route, in the words of the code. */
class OperationsManualTest {
    private static final Path MANUAL = Path.of("..", "docs", "operations.md");
    private static String manual;

    @BeforeAll
    static void read() throws Exception {
        manual = Files.readString(MANUAL);
    }

    @Test
    void theTableOfKeysIsTheOneOfTheSchema() {
        assertThat(between("configuration")).isEqualTo(ConfigSchema.markdown());
    }

    @Test
    void theTableOfSourcesIsTheOneOfTheSchemes() {
        assertThat(between("sources")).isEqualTo(SourceScheme.markdown());
    }

    @Test
    void theTableOfMetricsIsTheOneOfTheCode() {
        assertThat(between("metrics")).isEqualTo(PlanMetric.markdown());
    }

    @Test
    void theTableOfExternalMetricsIsTheOneOfTheCode() {
        assertThat(between("external metrics")).isEqualTo(ExternalMetric.markdown());
    }

    @Test
    void everyKeyAndVariableIsNamed() {
        Stream<String> names = ConfigSchema.keys().stream().flatMap(key -> Stream.of(key.path(), key.variable()));
        assertThat(names.filter(name -> !manual.contains("`" + name + "`"))).isEmpty();
        assertThat(ConfigSchema.keys().stream().map(ConfigKey::meaning)).doesNotContain("");
    }

    @Test
    void everyPriorIsNamed() {
        assertThat(PriorLibrary.names().stream().filter(name -> !manual.contains("`" + name + "`")))
                .isEmpty();
    }

    @Test
    void everyMetricThatAScrapeShowsIsNamed() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                PlannerService service = PlannerService.start(ConfigLoader.load(
                                Optional.empty(),
                                Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", publisher.endpoint()),
                                List.of("http.port=0"))
                        .config())) {
            publisher.awaitSubscriber();
            publisher.sendDecode("w");
            RestClient rest = new RestClient(service.url());
            rest.await("/v1/pools/chat/workers", d -> !d.get("workers").isEmpty());
            rest.get("/metrics");

            List<String> missing = rest.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("# TYPE "))
                    .map(line -> line.split(" ", 4)[2])
                    .filter(name -> !manual.contains("`" + name + "`"))
                    .toList();

            assertThat(missing).isEmpty();
        }
    }

    @Test
    void everyRouteAndStateIsNamed() {
        assertThat(manual)
                .contains(
                        "GET /v1/pools",
                        "GET /v1/pools/{pool}",
                        "GET /v1/pools/{pool}/recommendation",
                        "GET /v1/pools/{pool}/workers",
                        "GET /v1/pools/{pool}/model",
                        "GET /v1/pools/{pool}/model/export",
                        "POST /v1/pools/{pool}/predictions",
                        "/healthz",
                        "/livez",
                        "/readyz",
                        "/metrics",
                        "/metrics/ranks");
        assertThat(Arrays.stream(RankActivity.values()).filter(activity -> !manual.contains("`" + activity + "`")))
                .isEmpty();
        assertThat(Arrays.stream(EndpointState.values()).filter(state -> !manual.contains("`" + state + "`")))
                .isEmpty();
        assertThat(Arrays.stream(io.fpmplanner.core.fpm.RejectReason.values())
                        .filter(reason -> !manual.contains("`" + reason + "`")))
                .isEmpty();
        assertThat(Arrays.stream(io.fpmplanner.core.scaling.ReasonCode.values())
                        .filter(reason -> !manual.contains("`" + reason + "`")))
                .isEmpty();
    }

    private static String between(String name) {
        String begin = "<!-- " + name + ": generated -->\n";
        String end = "<!-- " + name + ": end -->";
        int from = manual.indexOf(begin);
        int to = manual.indexOf(end);
        assertThat(from).as(begin).isNotNegative();
        assertThat(to).as(end).isGreaterThan(from);
        return manual.substring(from + begin.length(), to);
    }

    @Test
    void everyConfigurationInItIsOne() throws Exception {
        Matcher block = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(manual);
        int blocks = 0;
        while (block.find()) {
            ObjectNode tree = (ObjectNode) new YAMLMapper().readTree(block.group(1));
            if (!tree.has("pools")) {
                tree.putArray("pools").addObject().put("id", "chat");
            }
            assertThat(ConfigLoader.pools(tree)).as(block.group(1)).isNotNull();
            blocks++;
        }
        assertThat(blocks).isGreaterThan(3);
    }

    @Test
    void everyCommandAndFlagInItIsThere() {
        Matcher fence = Pattern.compile("```\\w*\n(.*?)```", Pattern.DOTALL).matcher(manual);
        String code = fence.results().map(block -> "\n" + block.group(1)).collect(Collectors.joining());
        Matcher quoted = Pattern.compile("`(planner [a-z][^`\n]*)`").matcher(manual);
        code += quoted.results().map(span -> "\n" + span.group(1)).collect(Collectors.joining());
        Matcher command =
                Pattern.compile("\n(?:\\./)?planner ([a-z][a-z-]+)([^\n#]*)").matcher(code);
        int commands = 0;
        while (command.find()) {
            if (command.group(1).equals("archive")) {
                // The launcher's own.
                continue;
            }
            CommandLine found = PlannerCommand.commandLine().getSubcommands().get(command.group(1));
            assertThat(found).as(command.group()).isNotNull();
            Matcher flag = Pattern.compile("(?<= )--?[a-z][a-z-]*").matcher(command.group(2));
            while (flag.find()) {
                assertThat(found.getCommandSpec().findOption(flag.group()))
                        .as(command.group())
                        .isNotNull();
            }
            commands++;
        }
        assertThat(commands).isGreaterThan(10);
    }

    @Test
    void everyFileItNamesIsThere() {
        Matcher file = Pattern.compile("deploy/[A-Za-z0-9_./-]*[A-Za-z0-9]").matcher(manual);
        while (file.find()) {
            assertThat(Path.of("..", file.group())).as(file.group()).exists();
        }
    }
}
