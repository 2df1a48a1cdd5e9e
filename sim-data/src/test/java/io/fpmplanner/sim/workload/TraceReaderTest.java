/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fpmplanner.sim.workload.RecordedWorkload.Cut;
import io.fpmplanner.sim.workload.RecordedWorkload.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
    private static final String AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("trace"), text);
    }

    @Test
    void readsAzuresForm() throws Exception {
        List<Entry> entries = TraceReader.read(
                file(AZURE + "2023-11-16 23:59:59.9000000,4808,10\n2023-11-17 00:00:01.4000000,3180,8\n"));

        assertThat(entries).hasSize(2);
        assertThat(entries.get(0).seconds()).isZero();
        assertThat(entries.get(1).seconds()).isCloseTo(1.5, within(1e-9));
        assertThat(entries.get(1).inputTokens()).isEqualTo(3180);
        assertThat(entries.get(1).outputTokens()).isEqualTo(8);
    }

    @Test
    void readsMooncakesFormWithPrefixes() throws Exception {
        List<Entry> entries = TraceReader.read(file("""
                {"timestamp": 0, "input_length": 1100, "output_length": 5, "hash_ids": [7, 8, 9]}
                {"timestamp": 27500, "input_length": 512, "output_length": 6, "hash_ids": [7]}
                """));

        assertThat(entries.get(1).seconds()).isEqualTo(27.5);
        assertThat(entries.get(0).prefix()).isEqualTo(PrefixBlocks.of(512, 7, 8));
        // The last token of a prompt is always computed, so a prompt of one block shares none.
        assertThat(entries.get(1).prefix()).isEqualTo(PrefixBlocks.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2023-11-16 18:17:03,12 | line 2: there should be 3 fields, were 2",
                "yesterday,12,13 | line 2: 'yesterday' is no time",
                "2023-11-16 18:17:03,0,13 | line 2: ContextTokens must lie between 1 and",
                "2023-11-16 18:17:03,12,many | line 2: GeneratedTokens must be a whole number",
                "2023-11-16 18:17:03,12,99999999999999999999 | line 2: GeneratedTokens must be a whole number",
            })
    void saysLineAndReasonForCsv(String line, String message) {
        assertThatThrownBy(() -> TraceReader.read(file(AZURE + line)))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"timestamp\": 1 | line 1: this is no JSON object",
                "{\"timestamp\": 1} | line 1: input_length must be a whole number",
                "{\"timestamp\": -1} | line 1: timestamp must be a whole number",
                "{\"timestamp\": 1, \"input_length\": 5, \"output_length\": 5} | line 1: hash_ids must be an array",
                "some text | line 1: a trace begins with",
            })
    void saysLineAndReasonForJsonLines(String line, String message) {
        assertThatThrownBy(() -> TraceReader.read(file(line)))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesEmptyAndDisorderedTraces() {
        assertThatThrownBy(() -> TraceReader.read(file(AZURE))).hasMessageContaining("there is no request in it");
        assertThatThrownBy(() -> TraceReader.read(file("")))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("line 1");
        assertThatThrownBy(() -> TraceReader.read(file(AZURE + "2023-11-16 18:17:03,1,1\n2023-11-16 18:17:02,1,1\n")))
                .hasMessageContaining("line 3: the request came before");
        assertThatThrownBy(() -> TraceReader.read(folder.resolve("absent"))).isInstanceOf(TraceException.class);
    }

    @Test
    void cutsSpeedsUpThinsAndLeavesOut() {
        List<Entry> entries = List.of(
                new Entry(9, 10, 1, PrefixBlocks.NONE),
                new Entry(10, 20, 1, PrefixBlocks.NONE),
                new Entry(12, 90, 11, PrefixBlocks.NONE),
                new Entry(14, 40, 1, PrefixBlocks.NONE),
                new Entry(30, 50, 1, PrefixBlocks.NONE));

        List<Request> requests = new RecordedWorkload(entries, new Cut(10, 2, 1, 100)).requests(0, 10, 1);

        assertThat(requests).extracting(Request::inputTokens).containsExactly(20, 40);
        assertThat(requests).extracting(Request::arrivalNanos).containsExactly(0L, 2_000_000_000L);
        assertThat(requests).extracting(Request::id).containsExactly(0L, 1L);
    }
}
