/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Grafana board and the Prometheus rules ask for metrics and labels that there are; the manual has all of those. */
class BoardTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Pattern NAME = Pattern.compile("\\b(fpm_planner|jvm|process)_[a-z0-9_]+");
    private static final Pattern SELECTED = Pattern.compile("\\b(fpm_planner_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!=|=)");

    @Test
    void everyMetricOfTheBoardIsExposed() throws Exception {
        List<String> queries = boardQueries();

        assertThat(queries).hasSizeGreaterThan(20);
        assertThat(unknown(queries)).isEmpty();
    }

    @Test
    void everyMetricOfTheRulesIsExposed() throws Exception {
        assertThat(unknown(List.of(Files.readString(DEPLOY.resolve("prometheus/rules.yaml")))))
                .isEmpty();
    }

    @Test
    void theObjectOfThePrometheusOperatorHasTheSameRules() throws Exception {
        YAMLMapper yaml = new YAMLMapper();
        JsonNode rules = yaml.readTree(DEPLOY.resolve("prometheus/rules.yaml").toFile());
        JsonNode object = yaml.readTree(
                DEPLOY.resolve("kubernetes/monitoring/prometheusrule.yaml").toFile());

        assertThat(object.get("spec")).isEqualTo(rules);
        assertThat(rules.at("/groups/0/rules").size()).isGreaterThan(9);
    }

    @Test
    void everyLabelThatIsSelectedByIsThere() throws Exception {
        List<String> queries = boardQueries();
        queries.add(Files.readString(DEPLOY.resolve("prometheus/rules.yaml")));
        for (String query : queries) {
            Matcher selected = SELECTED.matcher(query);
            while (selected.find()) {
                String name = selected.group(1);
                Matcher label = LABEL.matcher(selected.group(2));
                List<String> labels = Stream.of(PlanMetric.values())
                        .filter(metric -> metric.exposedName().equals(name))
                        .flatMap(metric -> metric.labels().stream())
                        .toList();
                while (!labels.isEmpty() && label.find()) {
                    assertThat(labels).as(query).contains(label.group(1));
                }
            }
        }
    }

    @Test
    void panelsHaveTitlesUnitsAndNoHostOfTheirOwn() throws Exception {
        JsonNode board = board();
        Set<Integer> ids = new TreeSet<>();
        for (JsonNode panel : board.get("panels")) {
            assertThat(panel.get("title").asText()).isNotBlank();
            assertThat(ids.add(panel.get("id").asInt())).isTrue();
        }
        assertThat(board.toString()).doesNotContain("http://", "https://");
        assertThat(board.get("uid").asText()).isEqualTo("fpm-planner");
    }

    private static JsonNode board() throws Exception {
        return new JsonMapper()
                .readTree(DEPLOY.resolve("grafana/fpm-planner.json").toFile());
    }

    private static List<String> boardQueries() throws Exception {
        List<String> queries = new ArrayList<>(board().findValuesAsText("expr"));
        queries.addAll(board().findValuesAsText("definition"));
        return queries;
    }

    private static Set<String> unknown(List<String> queries) throws Exception {
        String manual = Files.readString(Path.of("..", "docs", "operations.md"));
        Set<String> unknown = new TreeSet<>();
        for (String query : queries) {
            Matcher name = NAME.matcher(query);
            while (name.find()) {
                // A summary is exposed as its sum and count.
                String family = name.group().replaceAll("_(sum|count)$", "");
                if (!manual.contains("`" + name.group() + "`") && !manual.contains("`" + family + "`")) {
                    unknown.add(name.group());
                }
            }
        }
        return unknown;
    }
}
