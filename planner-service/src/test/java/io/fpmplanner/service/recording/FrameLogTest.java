/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.frames.FrameJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameLogTest {
    private static final long START_NANOS = 1_800_000_000_000_000_000L;
    private static final int HEADER_AND_SESSION = FrameLogFormat.HEADER_BYTES + FrameLogFormat.HEAD_BYTES + 9;

    @TempDir
    private Path folder;

    /** One message as it is written and as it should be read again. */
    private record Message(String endpoint, long publisherId, long receivedNanos, long sequence, ByteBuffer payload) {}

    @Test
    void givesBackEveryMessageToTheBit() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        List<Message> written = write(file, 500);

        List<Message> read = new ArrayList<>();
        RecordingReport report = read(file, read);

        assertThat(read).isEqualTo(written);
        assertThat(report.isClean()).isTrue();
        assertThat(report.frames()).isEqualTo(500);
    }

    @Test
    void keepsMessagesThatAreNoFramesButCountsThem() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        try (FrameLogWriter writer = FrameLogWriter.create(file, Long.MAX_VALUE, START_NANOS)) {
            byte[] junk = "junk".getBytes(UTF_8);
            FpmFrame arrival = new FpmFrame().arrival("tcp://a:1", 1, START_NANOS);
            writer.write(arrival, junk, 0, junk.length);
            writer.write(arrival, junk, 0, 0);
        }

        RecordingReport report = read(file, new ArrayList<>());

        assertThat(report.frames()).isZero();
        assertThat(report.rejected())
                .containsEntry(RejectReason.NOT_A_MAP, 1L)
                .containsEntry(RejectReason.TRUNCATED, 1L);
    }

    @Test
    void aFileCutOffAnywhereGivesAllWholeRecordsAndIsGoneOnWith() throws Exception {
        Path whole = folder.resolve("whole.fpmlog");
        List<Message> written = write(whole, 3);
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = folder.resolve("cut.fpmlog");
        for (int length = HEADER_AND_SESSION; length < bytes.length; length += 5) {
            Files.write(cut, Arrays.copyOf(bytes, length));
            List<Message> read = new ArrayList<>();
            RecordingReport report = read(cut, read);
            assertThat(read).hasSizeLessThan(3);
            assertThat(read).isEqualTo(written.subList(0, read.size()));
            assertThat(report.damagedRecords()).isZero();

            try (FrameLogWriter writer = FrameLogWriter.append(cut, Long.MAX_VALUE, START_NANOS + 9)) {
                put(writer, written.get(2));
            }
            List<Message> again = new ArrayList<>();
            assertThat(read(cut, again).isClean()).isTrue();
            assertThat(again).hasSize(read.size() + 1);
            assertThat(again.get(again.size() - 1)).isEqualTo(written.get(2));
        }
    }

    @Test
    void aDamagedPlaceCostsOnlyWhatLiesThere() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        write(file, 50);
        byte[] bytes = Files.readAllBytes(file);
        Random random = new Random(11);
        for (int round = 0; round < 300; round++) {
            byte[] damaged = bytes.clone();
            int at = HEADER_AND_SESSION + 100 + random.nextInt(bytes.length - HEADER_AND_SESSION - 1_000);
            damaged[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, damaged);
            List<Message> read = new ArrayList<>();

            RecordingReport report = read(file, read);

            // All of them if the name of an endpoint was hit; its messages are kept apart from those of others then.
            assertThat(read).hasSizeBetween(48, 50);
            assertThat(read.stream().map(Message::endpoint).distinct())
                    .hasSizeBetween(3, 4)
                    .allMatch(endpoint -> endpoint.startsWith("tcp://10.0.0.") || endpoint.startsWith("recording://#"));
            assertThat(report.damagedRecords()).isEqualTo(1);
            assertThat(report.torn()).isFalse();
        }
    }

    @Test
    void neverThrowsOnRubbishBehindAHeader() throws Exception {
        Random random = new Random(5);
        Path file = folder.resolve("rubbish.fpmlog");
        for (int round = 0; round < 200; round++) {
            byte[] rubbish = new byte[random.nextInt(3_000)];
            random.nextBytes(rubbish);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(FrameLogFormat.MAGIC);
            bytes.writeBytes(new byte[] {0, 0, 0, 1});
            bytes.writeBytes(rubbish);
            Files.write(file, bytes.toByteArray());

            assertThat(read(file, new ArrayList<>()).frames()).isZero();
        }
    }

    @Test
    void isReadCompressedEvenWithoutTheEnd() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        write(file, 2_000);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(Files.readAllBytes(file));
        }
        Path whole = Files.write(folder.resolve("a.fpmlog.gz"), compressed.toByteArray());
        Path half =
                Files.write(folder.resolve("half.gz"), Arrays.copyOf(compressed.toByteArray(), compressed.size() / 2));

        assertThat(read(whole, new ArrayList<>()).frames()).isEqualTo(2_000);
        List<Message> read = new ArrayList<>();
        RecordingReport report = read(half, read);
        assertThat(read).hasSizeBetween(500, 1_500);
        assertThat(report.torn()).isTrue();
    }

    @Test
    void neverGrowsBeyondItsLimitAndNeverOverwrites() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        Message message = message(1);
        long limit = 10_000;
        int written = 0;
        try (FrameLogWriter writer = FrameLogWriter.create(file, limit, START_NANOS)) {
            while (put(writer, message)) {
                written++;
            }
        }

        assertThat(Files.size(file)).isLessThanOrEqualTo(limit).isGreaterThan(limit - 600);
        assertThat(read(file, new ArrayList<>()).frames()).isEqualTo(written);
        assertThatThrownBy(() -> FrameLogWriter.create(file, limit, START_NANOS))
                .isInstanceOf(FileAlreadyExistsException.class);
        Path csv = Files.writeString(folder.resolve("a.csv"), "counter_id,latency_ms,num_decode_requests\n1,2,3\n");
        assertThatThrownBy(() -> FrameLogWriter.append(csv, limit, START_NANOS))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("no frame log");
    }

    @Test
    void aLaterVersionAndAForeignFileAreRefused() throws Exception {
        Path file = folder.resolve("a.fpmlog");
        write(file, 1);
        byte[] bytes = Files.readAllBytes(file);
        bytes[11] = 2;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Recording.open(file))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("a frame log of version 2");
        bytes[1] = 'X';
        Files.write(file, bytes);
        assertThatThrownBy(() -> Recording.open(file)).hasMessageContaining("neither text nor a frame log");
        Files.write(file, Arrays.copyOf(bytes, 7));
        assertThatThrownBy(() -> Recording.open(file)).hasMessageContaining("header of the frame log is cut off");
    }

    private static List<Message> write(Path file, int count) throws IOException {
        List<Message> messages = new ArrayList<>();
        try (FrameLogWriter writer = FrameLogWriter.create(file, Long.MAX_VALUE, START_NANOS)) {
            for (int i = 0; i < count; i++) {
                messages.add(message(i));
                assertThat(put(writer, messages.get(i))).isTrue();
            }
            writer.flush();
            assertThat(writer.bytes()).isEqualTo(Files.size(file));
        }
        return messages;
    }

    private static boolean put(FrameLogWriter writer, Message message) throws IOException {
        byte[] payload = message.payload().array();
        FpmFrame arrival = new FpmFrame()
                .arrival(message.endpoint(), message.sequence(), message.receivedNanos())
                .publisherId(message.publisherId());
        return writer.write(arrival, payload, 0, payload.length);
    }

    private static Message message(int i) {
        FpmFrame frame = new FpmFrame();
        frame.clearPayload()
                .workerId("w" + i % 7)
                .counterId(i)
                .wallTimeSeconds(0.01 + 1e-5 * i)
                .scheduledDecode(1 + i % 9, 1_000L * i, 0.5 * i);
        return new Message(
                "tcp://10.0.0." + i % 3 + ":20380",
                i % 3 == 2 ? 4711 : FpmFrame.NO_PUBLISHER,
                START_NANOS + 1_000_003L * i,
                i % 5 == 0 ? -1 : i,
                ByteBuffer.wrap(FrameJson.payload(frame.view())));
    }

    private static RecordingReport read(Path file, List<Message> into) throws IOException, RecordingException {
        FpmFrame frame = new FpmFrame();
        try (Recording recording = Recording.open(file)) {
            assertThat(recording.isTimed()).isTrue();
            while (recording.next(frame)) {
                into.add(new Message(
                        frame.endpoint(),
                        frame.publisherId(),
                        frame.receivedNanos(),
                        frame.sequence(),
                        ByteBuffer.wrap(recording.payload())));
            }
            assertThat(recording.next(frame)).isFalse();
            assertThat(recording.bytesRead()).isEqualTo(recording.fileBytes());
            return recording.report();
        }
    }
}
