/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReplayCommandTest {
    private static final String VLLM = "counter_id,latency_ms,num_decode_requests,sum_decode_kv_tokens";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void scoresALinearEngine() throws IOException {
        Path file = write("linear.csv", Stream.concat(Stream.of(VLLM), linearSteps(1000)));

        assertThat(run("--json", file.toString())).isZero();

        JsonNode recordings = json().get("recordings");
        assertThat(recordings).hasSize(1);
        JsonNode recording = recordings.get(0);
        assertThat(recording.get("file").asText()).isEqualTo(file.toString());
        assertThat(recording.get("frames").asInt()).isEqualTo(1000);
        assertThat(recording.get("mape").asDouble()).isBetween(0.0, 0.02);
        assertThat(recording.get("p50").asDouble())
                .isLessThanOrEqualTo(recording.get("p90").asDouble());
        assertThat(recording.get("p90").asDouble())
                .isLessThanOrEqualTo(recording.get("p99").asDouble());
        assertThat(recording.get("coverage90").asDouble()).isBetween(0.85, 0.95);
        assertThat(recording.get("microsPerFrame").asDouble()).isPositive();
        assertThat(recording.get("regimes").get("decode").get("frames").asInt()).isEqualTo(1000);
        assertThat(recording.get("regimes").has("prefill")).isFalse();
        JsonNode itl = recording.get("itl");
        assertThat(itl.get("plans").asInt()).isBetween(5, 12);
        assertThat(itl.get("tokens").asInt()).isGreaterThan(1000);
        assertThat(itl.get("within90").asDouble())
                .isBetween(itl.get("within50").asDouble(), itl.get("within99").asDouble());
        assertThat(json().has("failures")).isFalse();
    }

    @Test
    void sortsByCounterAndDropsIdleRows() throws IOException {
        List<String> steps = linearSteps(1000).toList();
        Stream<String> backwards = IntStream.range(0, steps.size()).mapToObj(i -> steps.get(steps.size() - 1 - i));
        Path sorted = write("sorted.csv", Stream.concat(Stream.of(VLLM), steps.stream()));
        Path shuffled = write(
                "shuffled.csv",
                Stream.concat(Stream.concat(Stream.of(VLLM), backwards), Stream.of("5000,0,0,0", "5001,12.5,0,0")));

        run("--json", sorted.toString(), shuffled.toString());

        JsonNode recordings = json().get("recordings");
        for (String field : List.of("frames", "mape", "p50", "p90", "p99", "coverage90")) {
            assertThat(recordings.get(1).get(field))
                    .as(field)
                    .isEqualTo(recordings.get(0).get(field));
        }
    }

    @Test
    void aShortRecordingIsSaidToBeTooShort() throws IOException {
        Path file = write("short.csv", Stream.concat(Stream.of(VLLM), linearSteps(200)));

        assertThat(run("--json", file.toString())).isZero();
        JsonNode recording = json().get("recordings").get(0);
        assertThat(recording.get("frames").asInt()).isEqualTo(200);
        assertThat(recording.get("mape").isNull()).isTrue();
        assertThat(recording.get("coverage90").isNull()).isTrue();

        out.getBuffer().setLength(0);
        assertThat(run(file.toString())).isZero();
        assertThat(out.toString()).contains("at most 200 steps are too short to be scored");
    }

    @Test
    void readsTheTensorRtFormInAnyColumnOrderAndIgnoresUnknownColumns() throws IOException {
        Path file = write(
                "trt.csv",
                Stream.of("note,prefill_requests,\"prefill_tokens\",wall_time_s", "a,1,100,0.05", "", "b,2,300,0.07"));

        assertThat(run("--json", file.toString())).isZero();

        JsonNode recording = json().get("recordings").get(0);
        assertThat(recording.get("frames").asInt()).isEqualTo(2);
        assertThat(recording.get("regimes").get("prefill").get("frames").asInt())
                .isEqualTo(2);
    }

    @Test
    void namesFileLineAndReasonOfMalformedInputAndReadsTheOthers() throws IOException {
        Path good = write("good.csv", Stream.concat(Stream.of(VLLM), linearSteps(300)));
        Path words = write("words.csv", Stream.of(VLLM, "1,12.5,4,4000", "2,fast,4,4000"));
        Path ragged = write("ragged.csv", Stream.of(VLLM, "1,12.5,4"));
        Path fraction = write("fraction.csv", Stream.of(VLLM, "1,12.5,4.5,4000"));
        Path nan = write("nan.csv", Stream.of(VLLM, "1,NaN,4,4000"));
        Path negative = write("negative.csv", Stream.of(VLLM, "1,12.5,-4,4000"));
        Path foreign = write("foreign.csv", Stream.of("time,value", "1,2"));
        Path empty = write("empty.csv", Stream.of());
        Path header = write("header.csv", Stream.of(VLLM, ""));
        Path absent = folder.resolve("absent.csv");

        int code = run(Stream.concat(
                        Stream.of("--json"),
                        Stream.of(words, ragged, good, fraction, nan, negative, foreign, empty, header, absent, folder)
                                .map(Path::toString))
                .toArray(String[]::new));

        assertThat(code).isEqualTo(2);
        assertThat(json().get("recordings")).hasSize(1);
        assertThat(json().get("failures")).hasSize(10);
        assertThat(json().get("failures").get(0).get("line").asInt()).isEqualTo(3);
        assertThat(err.toString())
                .contains("words.csv:3: latency_ms must be a number of at least 0, was 'fast'")
                .contains("ragged.csv:2: the header names 4 columns, this row has 3")
                .contains("fraction.csv:2: num_decode_requests must be a whole number")
                .contains("nan.csv:2: latency_ms must be a number")
                .contains("negative.csv:2: num_decode_requests must be a number of at least 0, was '-4'")
                .contains("foreign.csv:1: no recording of FPM: the header needs latency_ms")
                .contains("empty.csv: the file is empty")
                .contains("header.csv: the file has a header and no rows")
                .contains("absent.csv: no such file");
    }

    @Test
    void aBinaryFileIsRefused() throws IOException {
        Path file = folder.resolve("binary.csv");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0x80, 10});

        assertThat(run(file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("not a text file in UTF-8");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void withoutFilesTheUsageIsShown() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("FILE");
    }

    @Test
    void printsAnAlignedTable() throws IOException {
        Path file = write("linear.csv", Stream.concat(Stream.of(VLLM), linearSteps(400)));

        run(file.toString());

        List<String> lines = out.toString().lines().toList();
        String header = lines.get(2);
        assertThat(header).contains("steps", "mean", "p50", "p90", "p99", "inside 90", "us/frame");
        assertThat(lines.get(3)).startsWith("linear.csv").hasSameSizeAs(header);
        assertThat(lines.get(4)).startsWith("  decode");
        assertThat(err.toString()).contains("replayed " + file + ": 400 steps of 400 frames");
    }

    @Test
    void theRecordingsArePredictedWithinSixPercentInTheMedian() throws IOException {
        Path recordings = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        Assumptions.assumeTrue(Files.isDirectory(recordings), "SKIPPED: no recordings at " + recordings);
        String[] files;
        try (Stream<Path> paths = Files.list(recordings)) {
            files = paths.map(Path::toString)
                    .filter(name -> name.endsWith(".csv"))
                    .sorted()
                    .toArray(String[]::new);
        }

        assertThat(run(Stream.concat(Stream.of("--json"), Arrays.stream(files)).toArray(String[]::new)))
                .isZero();

        JsonNode scores = json().get("recordings");
        assertThat(scores).hasSize(files.length);
        double[] errors = IntStream.range(0, scores.size())
                .mapToDouble(i -> scores.get(i).get("mape").asDouble())
                .sorted()
                .toArray();
        assertThat((errors[(errors.length - 1) / 2] + errors[errors.length / 2]) / 2)
                .isLessThan(0.06);
        assertThat(scores)
                .allSatisfy(
                        score -> assertThat(score.get("coverage90").asDouble()).isBetween(0.88, 0.92));
    }

    @Test
    void predictedTimesBetweenTokensHoldAgainstWhatThenHappened() throws IOException {
        /* A batch whose contexts grow by a token a step until others take their place, with noise of 5 %. */
        SplittableRandom random = new SplittableRandom(3);
        Path file = write(
                "steady.csv",
                Stream.concat(Stream.of(VLLM), IntStream.range(0, 6000).mapToObj(i -> {
                    int tokens = 12_000 + 16 * (i % 500);
                    double millis = (10 + 2e-4 * tokens) * (1 + 0.1 * (random.nextDouble() - 0.5));
                    return i + "," + millis + ",16," + tokens;
                })));

        assertThat(run("--json", file.toString())).isZero();
        JsonNode itl = json().get("recordings").get(0).get("itl");
        assertThat(itl.get("p50Error").asDouble()).isCloseTo(0, within(0.05));
        assertThat(itl.get("p90Error").asDouble()).isCloseTo(0, within(0.05));
        // Noise spreads over 10 %, so that a percent more or less is a tenth of the steps.
        assertThat(itl.get("within90").asDouble()).isBetween(0.65, 0.99);

        out.getBuffer().setLength(0);
        assertThat(run(file.toString())).isZero();
        assertThat(out.toString()).contains("Time between tokens (step and gap)", "within 90");
    }

    @Test
    void theRecordedStreamsKeepToTheirPredictedTimesBetweenTokens() throws IOException {
        Path recordings = Path.of(System.getProperty("fpm.shared.data", "absent"), "fpm");
        Assumptions.assumeTrue(Files.isDirectory(recordings), "SKIPPED: no recordings at " + recordings);
        Path stream = recordings.resolve("vllm0.20.1_b300_qwen3-32b_tp8.fpm_metrics_detail.csv");

        assertThat(run("--json", stream.toString())).isZero();
        JsonNode itl = json().get("recordings").get(0).get("itl");
        assertThat(itl.get("tokens").asInt()).isGreaterThan(10_000);
        assertThat(itl.get("p50Error").asDouble()).isBetween(-0.1, 0.1);
        assertThat(itl.get("p90Error").asDouble()).isBetween(-0.2, 0.2);
        assertThat(itl.get("within90").asDouble()).isBetween(0.8, 0.99);
    }

    /** Decode steps of 10 ms plus 0.1 ms a request and 0.1 us a token, with 1 % of ripple. */
    private static Stream<String> linearSteps(int count) {
        return IntStream.range(0, count).mapToObj(i -> {
            int batch = 1 + i * 7 % 32;
            int tokens = batch * (500 + i * 13 % 400);
            double millis = (10 + 0.1 * batch + 1e-4 * tokens) * (1 + 0.01 * Math.sin(i * 1.7));
            return i + "," + millis + "," + batch + "," + tokens;
        });
    }

    private Path write(String name, Stream<String> lines) throws IOException {
        return Files.write(folder.resolve(name), lines.toList());
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private int run(String... arguments) {
        return new CommandLine(new ReplayCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}
