/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forms of others. */
class RecordingTest {
    private static final String FRAME = "{\"worker_id\":\"w\",\"dp_rank\":1,\"counter_id\":%d,\"wall_time\":0.02,"
            + "\"scheduled_requests\":{\"num_decode_requests\":4,\"sum_decode_kv_tokens\":4000}}";
    private static final String TRACE = "{\"timestamp\":1250,\"event\":{\"schema\":\"dynamo.fpm.trace.v1\",\"source\":"
            + "{\"namespace\":\"ns\",\"component\":\"backend\",\"producer_id\":\"4192\"},\"capture_mode\":\"full\","
            + "\"observed_at_unix_ms\":%d,\"fpm\":" + FRAME + "}}";

    @TempDir
    private Path folder;

    private final FpmFrame frame = new FpmFrame();

    @Test
    void readsDynamosTraceWithTimesAndProducer() throws Exception {
        Path file = text(
                "t.jsonl", String.format(TRACE, 1_782_777_601_250L, 7), String.format(TRACE, 1_782_777_601_270L, 8));

        try (Recording recording = Recording.open(file)) {
            assertThat(recording.next(frame)).isTrue();
            assertThat(frame.endpoint()).isEqualTo("recording://ns/backend#4192");
            assertThat(frame.receivedNanos()).isEqualTo(1_782_777_601_250_000_000L);
            assertThat(frame.streamPosition()).isEqualTo(7);
            assertThat(frame.scheduledDecodeKvTokens()).isEqualTo(4000);
            assertThat(recording.isTimed()).isTrue();
            FpmFrame again = new FpmFrame();
            byte[] payload = recording.payload();
            assertThat(new FpmDecoder().decode(payload, 0, payload.length, again))
                    .isNull();
            assertThat(again.view()).isEqualTo(frame.view());
            assertThat(recording.next(frame)).isTrue();
            assertThat(recording.next(frame)).isFalse();
            assertThat(recording.report().isClean()).isTrue();
        }
    }

    @Test
    void readsACompressedTraceThatIsStillBeingWritten() throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        GZIPOutputStream gzip = new GZIPOutputStream(compressed, 512, true);
        for (int i = 0; i < 100; i++) {
            gzip.write((String.format(TRACE, 1_782_777_601_250L + i, i) + "\n").getBytes(UTF_8));
        }
        gzip.flush();
        byte[] unfinished = compressed.toByteArray();
        gzip.close();
        Path torn = Files.write(folder.resolve("torn.jsonl.gz"), unfinished);
        Path whole = Files.write(folder.resolve("whole.jsonl.gz"), compressed.toByteArray());

        assertThat(count(torn).frames()).isEqualTo(100);
        assertThat(count(torn).torn()).isTrue();
        assertThat(count(whole).isClean()).isTrue();
        assertThat(count(whole).frames()).isEqualTo(100);
    }

    @Test
    void badLinesAreCountedAndLoseNothingElse() throws Exception {
        Path file = text(
                "mixed.ndjson",
                String.format(FRAME, 1),
                "",
                "not json",
                "{\"other\":1}",
                "{\"x\":\"" + "y".repeat(100_000) + "\"}",
                "{\"wall_time\":-1}",
                String.format(FRAME, 2));
        Files.writeString(file, "{\"worker_id\":\"cut", java.nio.file.StandardOpenOption.APPEND);

        RecordingReport report = count(file);

        assertThat(report.frames()).isEqualTo(2);
        assertThat(report.rejected())
                .containsOnlyKeys(
                        RejectReason.NOT_JSON, RejectReason.NOT_FPM, RejectReason.TOO_LARGE, RejectReason.NEGATIVE);
        assertThat(report.firstRejectedLine()).hasValue(3);
        assertThat(report.torn()).isTrue();
        assertThat(report.remarks()).contains("4 refused", "the first in line 3", "torn off");
    }

    @Test
    void aFileWithoutAnyFrameIsRefused() throws Exception {
        Path file = text("logs.jsonl", "{\"level\":\"info\"}", "{\"level\":\"warn\"}");

        assertThatThrownBy(() -> count(file))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("no line is a frame, 2 refused (NOT_FPM 2; the first in line 1)");
    }

    @Test
    void csvIsReadCompressedToo() throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write("counter_id,latency_ms,num_decode_requests\n5,20,3\n4,10,2\n6,0,0\n".getBytes(UTF_8));
        }
        Path file = Files.write(folder.resolve("a.csv.gz"), compressed.toByteArray());

        try (Recording recording = Recording.open(file)) {
            assertThat(recording.isTimed()).isFalse();
            assertThat(recording.next(frame)).isTrue();
            assertThat(frame.counterId()).isEqualTo(4);
            assertThat(recording.payload()).isNotEmpty();
            assertThat(recording.next(frame)).isTrue();
            assertThat(recording.next(frame)).isFalse();
        }
    }

    private RecordingReport count(Path file) throws IOException, RecordingException {
        try (Recording recording = Recording.open(file)) {
            while (recording.next(frame)) {
                // Only the report is wanted.
            }
            return recording.report();
        }
    }

    private Path text(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), Arrays.asList(lines));
    }
}
