/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogComparisonTest {
    private static final String REQUEST = """
            {"input_toks": %d, "output_toks": 3, "arrival_time": %s, "queued_ts": %s, "first_token_ts": %s, "last_token_ts": %s}
            """;

    @TempDir
    Path directory;

    @Test
    void real_runs_are_met_at_their_medians() throws IOException {
        String data = System.getProperty("fpm.shared.data", "");
        Path runs = Path.of(data, "e2e", "llmservingsim_bench");
        assumeTrue(
                !data.isEmpty() && Files.isDirectory(runs),
                "SKIPPED: no real request logs at " + runs + " (system property fpm.shared.data)");

        List<LogComparison> comparisons = LogComparisons.below(runs);

        System.out.print(LogComparisons.table(comparisons));
        assertThat(comparisons).hasSizeGreaterThanOrEqualTo(3).allSatisfy(run -> {
            assertThat(run.tpot().atMedian())
                    .as(run.run() + " TPOT")
                    .isCloseTo(0, within(LogComparisons.TPOT_TOLERANCE));
            assertThat(run.ttft().atMedian())
                    .as(run.run() + " TTFT")
                    .isCloseTo(0, within(LogComparisons.TTFT_TOLERANCE));
        });
        assertThat(LogComparisons.below(runs)).as("a second time").isEqualTo(comparisons);
    }

    @Test
    void clocks_are_brought_together_and_medians_compared() throws IOException {
        // The engine's clock is 1000 s behind; the first request took longest to be queued, the second no time at all.
        Path run = run(
                "RTXPRO6000",
                REQUEST.formatted(100, "2000.0", "1000.5", "1000.9", "1001.0")
                        + REQUEST.formatted(50, "2010.0", "1010.0", "1010.1", "1010.2"));

        LogComparison comparison = LogComparison.of(run);

        assertThat(comparison.requests()).isEqualTo(2);
        assertThat(comparison.ttft().realP50Seconds()).isCloseTo(0.1, within(1e-9));
        assertThat(comparison.ttft().realP90Seconds()).isCloseTo(0.9, within(1e-9));
        assertThat(comparison.tpot().realP50Seconds()).isCloseTo(0.05, within(1e-9));
        assertThat(comparison.realMakespanSeconds()).isCloseTo(10.2, within(1e-9));
        assertThat(comparison.simulatedMakespanSeconds()).isBetween(10.0, 10.1);
        assertThat(LogComparisons.table(List.of(comparison))).contains("RTXPRO6000", "TTFT", "TPOT", "50.0 /");
    }

    @Test
    void bad_logs_end_with_file_line_and_reason() throws IOException {
        String good = REQUEST.formatted(100, "2000.0", "1000.5", "1000.9", "1001.0");

        assertThatThrownBy(() -> LogComparison.of(run("RTXPRO6000", good + "{nonsense\n")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("requests.jsonl line 2");
        assertThatThrownBy(() -> LogComparison.of(run("RTXPRO6000", good + "{\"input_toks\": 3}\n")))
                .hasMessageContaining("line 2: arrival_time is missing");
        assertThatThrownBy(() -> LogComparison.of(
                        run("RTXPRO6000", REQUEST.formatted(100, "2000.0", "1000.5", "1000.9", "\"x\""))))
                .hasMessageContaining("line 1: last_token_ts must be a number");
        assertThatThrownBy(() -> LogComparison.of(
                        run("RTXPRO6000", REQUEST.formatted(0, "2000.0", "1000.5", "1000.9", "1001.0"))))
                .hasMessageContaining("input_toks must be a whole number of at least 1");
        assertThatThrownBy(() -> LogComparison.of(
                        run("RTXPRO6000", REQUEST.formatted(9, "2000.0", "1000.5", "1002.9", "1001.0"))))
                .hasMessageContaining("must follow each other");
        assertThatThrownBy(() -> LogComparison.of(
                        run("RTXPRO6000", REQUEST.formatted(500_000, "2000.0", "1000.5", "1000.9", "1001.0"))))
                .hasMessageContaining("refuses request 0");
        assertThatThrownBy(() -> LogComparison.of(run("RTXPRO6000", ""))).hasMessageContaining("holds no request");
        assertThatThrownBy(() -> LogComparison.of(run("TPU9", good))).hasMessageContaining("no kernel times");
        assertThatThrownBy(() -> LogComparisons.below(Files.createDirectories(directory.resolve("empty"))))
                .hasMessageContaining("no requests.jsonl");
    }

    private Path run(String gpu, String requests) throws IOException {
        Path run = Files.createDirectories(directory.resolve(gpu).resolve("model"));
        Files.writeString(run.resolve("requests.jsonl"), requests);
        Files.writeString(
                run.resolve("meta.json"),
                "{\"model\": \"meta-llama/Llama-3.1-8B\", \"engine_kwargs\": {\"max_num_seqs\": 8, \"max_model_len\": null}}");
        return run;
    }
}
