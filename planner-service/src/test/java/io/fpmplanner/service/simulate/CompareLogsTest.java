/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code planner simulate --compare-logs}. */
class CompareLogsTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void a_log_is_replayed_and_compared() throws IOException {
        Path run = Files.createDirectories(directory.resolve("RTXPRO6000/Llama-3.1-8B"));
        Files.writeString(
                run.resolve("requests.jsonl"),
                "{\"input_toks\": 100, \"output_toks\": 3, \"arrival_time\": 5.0, \"queued_ts\": 1.0,"
                        + " \"first_token_ts\": 1.02, \"last_token_ts\": 1.04}\n");
        Files.writeString(run.resolve("meta.json"), "{\"model\": \"meta-llama/Llama-3.1-8B\"}");

        assertThat(execute(directory)).isZero();

        assertThat(out.toString()).contains("TTFT", "RTXPRO6000/Llama-3.1-8B", "0.02 /");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void what_cannot_be_read_ends_with_a_sentence() throws IOException {
        assertThat(execute(directory.resolve("nowhere"))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("there is no", "nowhere").doesNotContain("Exception");

        Path run = Files.createDirectories(directory.resolve("gpu/model"));
        Files.writeString(run.resolve("requests.jsonl"), "[]\n");
        assertThat(execute(directory)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("requests.jsonl line 1: arrival_time is missing");
        assertThat(out.toString()).isEmpty();
    }

    private int execute(Path folder) {
        return new CommandLine(new SimulateCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--compare-logs", folder.toString());
    }
}
