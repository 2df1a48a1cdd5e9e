/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.replay.ReplayCommand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import picocli.CommandLine;

class BacktestCommandTest {
    private static final String HEADER = "counter_id,latency_ms,num_decode_requests,sum_decode_kv_tokens";
    private static final List<String> LEARNERS =
            List.of("fpm-planner", "last-value", "dynamo-ols", "dynamo-ols-split", "dynamo-nnls", "dynamo-nnls-split");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void comparesAllLearnersOnALinearEngine() throws IOException {
        Path file = recording("linear.csv", 1000, 1);

        assertThat(run("--json", file.toString())).isZero();

        JsonNode recordings = json().get("recordings");
        assertThat(recordings)
                .extracting(entry -> entry.get("learner").asText())
                .containsExactlyElementsOf(LEARNERS);
        for (JsonNode entry : recordings) {
            assertThat(entry.get("file").asText()).isEqualTo(file.toString());
            assertThat(entry.get("frames").asInt()).isEqualTo(1000);
            assertThat(entry.get("p50").asDouble())
                    .isLessThanOrEqualTo(entry.get("p90").asDouble());
            assertThat(entry.get("microsPerFrame").asDouble()).isPositive();
            assertThat(entry.at("/regimes/decode/frames").asInt()).isEqualTo(1000);
            assertThat(entry.at("/regimes/decode/scored").asInt()).isEqualTo(800);
            assertThat(entry.get("regimes").has("prefill")).isFalse();
            assertThat(entry.get("errorOverTime")).hasSize(20);
            assertThat(entry.at("/slowerClock/changedAtFrame").asInt()).isEqualTo(500);
            assertThat(entry.get("switch").isNull()).isTrue();
            assertThat(entry.get("noise").isNull()).isTrue();
        }
        JsonNode ours = recordings.get(0);
        assertThat(ours.get("mape").asDouble()).isLessThan(0.02);
        assertThat(ours.get("coverage50").asDouble()).isBetween(0.4, 0.6);
        assertThat(ours.get("coverage99").asDouble()).isBetween(0.97, 1.0);
        assertThat(ours.at("/slowerClock/framesTo10Percent").asInt()).isLessThan(100);
        for (int i = 1; i < LEARNERS.size(); i++) {
            for (String coverage : List.of("coverage50", "coverage80", "coverage90", "coverage99")) {
                assertThat(recordings.get(i).get(coverage).isNull()).isTrue();
            }
        }
        // What it is made for: a law of two loads.
        assertThat(recordings.get(3).get("mape").asDouble()).isLessThan(0.02);
        assertThat(json().at("/verdicts/0/trust").asText()).isEqualTo("YES");
        assertThat(json().get("medians")).hasSize(6);
        assertThat(json().has("failures")).isFalse();
    }

    @Test
    void oursIsScoredAsByReplay() throws IOException {
        Path file = recording("linear.csv", 1500, 1);
        run("--json", file.toString());
        JsonNode ours = json().get("recordings").get(0);
        out.getBuffer().setLength(0);
        run(new ReplayCommand(), "--json", file.toString());
        JsonNode replayed = json().get("recordings").get(0);

        for (String field : List.of("frames", "mape", "p50", "p90", "p99", "coverage90")) {
            assertThat(ours.get(field)).as(field).isEqualTo(replayed.get(field));
            assertThat(ours.at("/regimes/decode").get(field))
                    .as(field)
                    .isEqualTo(replayed.at("/regimes/decode").get(field));
        }
    }

    @Test
    void switchesToTheNextRecordingAndAddsNoise() throws IOException {
        Path fast = recording("fast.csv", 600, 1);
        Path slow = recording("slow.csv", 600, 6);

        assertThat(run("--json", "--noise", fast.toString(), slow.toString())).isZero();

        JsonNode recordings = json().get("recordings");
        assertThat(recordings).hasSize(12);
        assertThat(recordings.get(0).at("/switch/to").asText()).isEqualTo(slow.toString());
        assertThat(recordings.get(6).at("/switch/to").asText()).isEqualTo(fast.toString());
        assertThat(recordings.get(0).at("/switch/framesTo10Percent").asInt()).isBetween(1, 100);
        for (JsonNode entry : recordings) {
            assertThat(entry.at("/noise/addedError").asDouble())
                    .isCloseTo(
                            entry.at("/noise/mape").asDouble()
                                    - entry.get("mape").asDouble(),
                            within(1e-12));
        }
    }

    @Test
    void badFilesAreNamedAndTheOthersCompared() throws IOException {
        Path good = recording("good.csv", 300, 1);
        Path words = Files.writeString(folder.resolve("words.csv"), HEADER + "\n1,fast,4,4000\n");
        Path absent = folder.resolve("absent.csv");

        assertThat(run("--json", words.toString(), good.toString(), absent.toString()))
                .isEqualTo(2);

        assertThat(json().get("recordings")).hasSize(6);
        assertThat(json().get("failures")).hasSize(2);
        assertThat(json().at("/failures/0/line").asInt()).isEqualTo(2);
        assertThat(err.toString())
                .contains("words.csv:2: latency_ms must be a number of at least 0, was 'fast'")
                .contains("absent.csv: no such file");
    }

    @Test
    void recordingsTooShortHaveNoFiguresButAVerdict() throws IOException {
        Path idle = Files.writeString(folder.resolve("idle.csv"), HEADER + "\n1,0,0,0\n");
        Path shortOne = recording("short.csv", 150, 1);

        assertThat(run("--json", "--noise", idle.toString(), shortOne.toString()))
                .isZero();

        JsonNode entry = json().get("recordings").get(6);
        assertThat(entry.get("mape").isNull()).isTrue();
        assertThat(entry.get("answered").isNull()).isTrue();
        assertThat(entry.get("sumsOf400Error").isNull()).isTrue();
        assertThat(json().get("recordings").get(0).get("frames").asInt()).isZero();
        assertThat(json().get("recordings").get(0).get("microsPerFrame").isNull())
                .isTrue();
        assertThat(json().get("verdicts"))
                .extracting(verdict -> verdict.get("trust").asText())
                .containsOnly("CANNOT_SAY");

        out.getBuffer().setLength(0);
        assertThat(run("--html", folder.resolve("r.html").toString(), idle.toString(), shortOne.toString()))
                .isZero();
        assertThat(out.toString()).contains("Cannot say. There are only 150 steps");
    }

    @Test
    void printsAlignedTablesAndTheVerdict() throws IOException {
        Path file = recording("linear.csv", 900, 1);

        assertThat(run("--noise", file.toString())).isZero();

        List<String> lines = out.toString().lines().toList();
        int header = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("one step ahead"))
                .findFirst()
                .orElseThrow();
        for (int i = 1; i <= LEARNERS.size(); i++) {
            assertThat(lines.get(header + i)).startsWith(LEARNERS.get(i - 1)).hasSameSizeAs(lines.get(header));
            assertThat(lines.get(header + 7 + i))
                    .startsWith(LEARNERS.get(i - 1))
                    .hasSameSizeAs(lines.get(header + 7));
        }
        assertThat(lines.get(header + 7)).contains("sums", "start", "clock", "switch", "noise", "us/step");
        assertThat(out.toString())
                .contains("linear.csv: 900 steps")
                .contains("intervals of fpm-planner: 50% held")
                .contains("=> Yes, you can trust it here.")
                .contains("median over recordings");
        assertThat(err.toString()).contains("backtesting " + file + ": 900 steps");
    }

    @Test
    void theReportIsAWellFormedPageThatAsksNoOtherHost() throws Exception {
        String name = "a<b>&\"'\u0007ü.csv";
        Path file = recording(name, 700, 1);
        Path bad = Files.writeString(folder.resolve("<script>.csv"), "a,b\n");
        Path page = folder.resolve("report.html");

        assertThat(run("--html", page.toString(), "--noise", file.toString(), bad.toString()))
                .isEqualTo(2);

        String html = Files.readString(page);
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getElementsByTagName("h2").item(0).getTextContent()).isEqualTo("a<b>&\"'\uFFFDü.csv");
        assertThat(document.getElementsByTagName("figure").getLength()).isEqualTo(4);
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(elements(document, "table")).hasSize(2);
        assertThat(elements(document, "li"))
                .anyMatch(item -> item.getTextContent().contains("no recording of FPM"));
        // Every learner is drawn over time, and around the change of the clock.
        for (String learner : LEARNERS) {
            assertThat(elements(document, "path"))
                    .filteredOn(path -> path.getAttribute("class").equals("series " + learner))
                    .filteredOn(path -> path.getAttribute("d").length() > 100)
                    .hasSizeGreaterThanOrEqualTo(2);
            assertThat(html).contains(".series." + learner + " {");
        }
        assertThat(html).startsWith("<!DOCTYPE html><html");
        assertThat(html).doesNotContainPattern("(?i)(https?:|//[a-z]|@import|url\\(|\\ssrc=|\\shref=|NaN|Infinity)");
        assertThat(html).contains("prefers-color-scheme: dark").doesNotContain("&gt; ", "<script");
    }

    @Test
    void aReportGoesNowhereButToAPage() throws IOException {
        Path first = recording("first.csv", 300, 1);
        Path second = recording("second.csv", 300, 1);
        String before = Files.readString(first);

        assertThat(run("--html", first.toString(), second.toString())).isEqualTo(2);
        assertThat(Files.readString(first)).isEqualTo(before);
        assertThat(err.toString()).contains("--html needs the name of a page to write");

        assertThat(run("--html", folder.resolve("no/such/folder.html").toString(), second.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no page can be written at");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void everyOptionLearnerAndFieldIsInTheManual() throws IOException {
        String manual = Files.readString(Path.of("..", "docs", "operations.md"));
        Path file = recording("linear.csv", 500, 1);
        run("--json", "--noise", file.toString(), file.toString());

        Set<String> names = new TreeSet<>(LEARNERS);
        names.addAll(List.of("--json", "--html", "--noise"));
        Arrays.stream(Verdict.Trust.values()).map(Enum::name).forEach(names::add);
        collectNames(json(), names);

        assertThat(names.stream().filter(name -> !manual.contains(name))).isEmpty();
        assertThat(names).contains("coverage99", "addedError", "framesTo10Percent", "errorInUnitsOfBestBaseline");
    }

    private static void collectNames(JsonNode node, Set<String> names) {
        node.fieldNames().forEachRemaining(names::add);
        node.forEach(child -> collectNames(child, names));
    }

    @Test
    void withoutFilesTheUsageIsShown() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("FILE");
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    /** Decode steps of a linear law times a factor, with 1 % of ripple. */
    private Path recording(String name, int count, double factor) throws IOException {
        Stream<String> rows = IntStream.range(0, count).mapToObj(i -> {
            StepWorkload step = TestSteps.decode(i);
            double millis = 1e3 * factor * TestSteps.linearSeconds(step) * (1 + 0.01 * Math.sin(i * 1.7));
            return i + "," + millis + "," + (long) step.decodeRequests() + "," + (long) step.decodeKvTokens();
        });
        return Files.write(
                folder.resolve(name), Stream.concat(Stream.of(HEADER), rows).toList());
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private int run(String... arguments) {
        return run(new BacktestCommand(), arguments);
    }

    private int run(Callable<Integer> command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Arrays.copyOf(arguments, arguments.length));
    }
}
