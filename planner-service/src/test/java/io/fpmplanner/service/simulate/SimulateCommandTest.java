/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

class SimulateCommandTest {
    private static final String SHORT = """
            title = Two minutes of rising traffic.
            topologies = agg, disagg
            engine = llama-8b-l40s
            arrival_seconds = 120
            drain_seconds = 20
            cold_start_seconds = 10
            arrivals = steps at=0:2,30:12
            input_tokens = fixed tokens=1000
            output_tokens = fixed tokens=100
            """;

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private Path scenario = Path.of("absent");

    @BeforeEach
    void writeScenario() throws IOException {
        scenario = Files.writeString(folder.resolve("rising.scenario"), SHORT);
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return new CommandLine(new SimulateCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void jsonHasOneRowForEachRunAndTheSameOnAnyNumberOfThreads() throws IOException {
        String[] common = {"-s", scenario.toString(), "-p", "static-2,fpm-planner", "--seeds", "2", "--json"};

        assertThat(run(append(common, "--threads", "1"))).isZero();
        String first = out.toString();
        assertThat(run(append(common, "--threads", "3"))).isZero();

        assertThat(out).hasToString(first);
        JsonNode rows = json();
        assertThat(rows).hasSize(2 * 2 * 2);
        for (JsonNode row : rows) {
            assertThat(row.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "scenario",
                            "topology",
                            "policy",
                            "seed",
                            "goodRate",
                            "goodputPerGpu",
                            "gpuHours",
                            "ttftP50Seconds",
                            "ttftP90Seconds",
                            "ttftP99Seconds",
                            "itlP50Seconds",
                            "itlP90Seconds",
                            "itlP99Seconds",
                            "scaleEvents",
                            "reversals");
            assertThat(row.get("scenario").asText()).isEqualTo("rising");
            assertThat(row.get("goodRate").asDouble()).isBetween(0.0, 1.0);
            assertThat(row.get("ttftP50Seconds").asDouble())
                    .isLessThanOrEqualTo(row.get("ttftP99Seconds").asDouble());
        }
        assertThat(rows.get(0).get("policy").asText()).isEqualTo("static-2");
        assertThat(rows.get(0).get("scaleEvents").asInt()).isZero();
        assertThat(rows.get(2).get("policy").asText()).isEqualTo("fpm-planner");
        assertThat(rows.get(2).get("scaleEvents").asInt()).isPositive();
        assertThat(err.toString().lines().filter(line -> line.contains("% good")))
                .hasSize(8);
    }

    @Test
    void theBoardNamesScenariosPoliciesAndRanks() {
        assertThat(run("-s", scenario.toString(), "-p", "static-1,static-2,reactive"))
                .isZero();

        assertThat(out.toString())
                .contains("rising (agg)", "rising (disagg)", "All 1 scenarios (agg)", "mean rank", "win rate");
        assertThat(out.toString().lines().filter(line -> line.startsWith("reactive")))
                .hasSize(4);
    }

    @Test
    void thePageIsWellFormedAndNeedsNothingElse() throws Exception {
        Path page = folder.resolve("board.html");

        assertThat(run("-s", scenario.toString(), "-p", "static-2,fpm-planner", "--html", page.toString()))
                .isZero();

        String text = Files.readString(page);
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(4);
        for (String expected : List.of("TTFT p90", "replicas: ready", "fpm-planner: ", "class=\"decisions\"")) {
            assertThat(text.contains(expected)).as(expected).isTrue();
        }
        for (String foreign : List.of("<script", "http://", "https://", " src=", "NaN", "Infinity")) {
            assertThat(text.contains(foreign)).as(foreign).isFalse();
        }
    }

    @Test
    void listsWithoutPlaying() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("queue-blind", "telemetry-outage", "oracle", "fpm-planner");
        assertThat(err.toString()).contains("mooncake is left out");
    }

    @Test
    void badInputEndsWithAMessageAndStatusTwo() throws IOException {
        assertThat(run("-p", "nobody")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("there is no policy 'nobody'", "keda-hpa");

        assertThat(run("-s", "nowhere")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("nowhere: no such file, and no scenario of that name");

        assertThat(run("-s", "mooncake")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("no folder with traces was given");

        for (String option : List.of("--seeds", "--threads")) {
            assertThat(run("-s", "flat", option, "0")).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(err.toString()).contains(option + " must be a number from 1 to");
        }

        assertThat(run("-s", "flat", "--html", folder.toString())).isEqualTo(CommandLine.ExitCode.USAGE);

        Files.writeString(scenario, SHORT.replace("tokens=1000", "tokens=many"));
        assertThat(run("-s", scenario.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("rising.scenario, line 8: 'many' is no finite number");

        Files.writeString(scenario, SHORT.replace("30:12", "30:1e12"));
        assertThat(run("-s", scenario.toString(), "-p", "static-1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("too many for one run");

        Files.write(scenario, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(run("-s", scenario.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void requestsThatFitNowhereAndFleetsOfNothingEndAsBad() throws IOException {
        Files.writeString(scenario, SHORT.replace("tokens=1000", "tokens=50000000"));
        assertThat(run("-s", scenario.toString(), "-p", "static-1,fpm-planner", "--json"))
                .isZero();
        for (JsonNode row : json()) {
            assertThat(row.get("goodRate").asDouble()).isZero();
            assertThat(row.get("ttftP50Seconds").isNull()).isTrue();
        }

        Files.writeString(scenario, SHORT + "replicas.initial = 0\nreplicas.lowest = 0\n");
        assertThat(run("-s", scenario.toString(), "-p", "mpc,dynamo-load,fpm-planner", "--json"))
                .isZero();
        assertThat(json()).hasSize(6);
    }

    private static String[] append(String[] first, String... more) {
        String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }
}
