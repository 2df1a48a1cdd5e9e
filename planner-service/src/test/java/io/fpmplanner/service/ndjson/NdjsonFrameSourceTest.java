/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.ndjson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.config.NdjsonSource;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.PoolSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real writers on a real socket. */
class NdjsonFrameSourceTest {
    private static final long DEADLINE_NANOS = 30_000_000_000L;
    private static final String FRAME = "{\"worker_id\":\"%s\",\"counter_id\":%d,\"wall_time\":0.02,"
            + "\"scheduled_requests\":{\"num_decode_requests\":4,\"sum_decode_kv_tokens\":4000}}";

    @TempDir
    private Path folder;

    private final FrameRing ring = new FrameRing(4_096);
    private final AtomicLong now = new AtomicLong(1_800_000_000_000_000_000L);
    private final List<FpmFrame> frames = new ArrayList<>();
    private final List<RejectReason> rejects = new ArrayList<>();
    private Path path = Path.of("/");
    private NdjsonFrameSource source = new NdjsonFrameSource(65_536, List.of(), now::get);

    @BeforeEach
    void prepare() {
        path = folder.resolve("fpm.sock");
        source = new NdjsonFrameSource(65_536, List.of(new PoolSource<>(3, new NdjsonSource(path))), now::get);
    }

    @AfterEach
    void stop() {
        source.close();
    }

    @Test
    void takesSeveralWritersAndHalfLines() throws Exception {
        start();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-rw----");
        String export = "{\"namespace\":\"n\",\"component\":\"c\",\"publisher_id\":%d,\"sequence\":5,"
                + "\"published_at_ms\":1,\"metrics\":" + FRAME + "}\n";
        try (SocketChannel one = connect();
                SocketChannel two = connect()) {
            String first = String.format(export, 17, "a", 1);
            write(one, first.substring(0, 30));
            write(two, String.format(export, 18, "a", 2) + "\r\n" + String.format(export, 18, "a", 3));
            awaitFrames(2);
            write(one, first.substring(30));
            awaitFrames(3);
            write(one, String.format(FRAME, "bare", 4)); // ended by the end of the connection
        }
        awaitFrames(4);

        assertThat(frames.stream().map(FpmFrame::publisherId).toList()).containsExactlyInAnyOrder(18L, 18L, 17L, -1L);
        assertThat(frames).allSatisfy(frame -> {
            assertThat(frame.endpoint()).isEqualTo("ndjson+unix://" + path);
            assertThat(frame.streamPosition()).isEqualTo(frame.counterId());
            assertThat(frame.scheduledDecodeKvTokens()).isEqualTo(4_000);
        });
        assertThat(status().poolIndex()).isEqualTo(3);
        assertThat(status().counts().framesReceived()).isEqualTo(4);
    }

    @Test
    void badAndEndlessLinesAreCountedAndLoseNothingElse() throws Exception {
        start();
        try (SocketChannel writer = connect()) {
            write(writer, "nonsense\n{\"x\":1}\n" + "y".repeat(200_000) + "\n" + String.format(FRAME, "w", 1) + "\n");
            awaitFrames(1);
            write(writer, "z".repeat(70_000));
            await(() -> rejects.size() == 4);
            write(writer, "z".repeat(70_000) + "\n" + String.format(FRAME, "w", 2) + "\n");
            awaitFrames(2);
        }

        assertThat(rejects)
                .containsExactly(
                        RejectReason.NOT_JSON, RejectReason.NOT_FPM, RejectReason.TOO_LARGE, RejectReason.TOO_LARGE);
        assertThat(status().counts().rejected()).containsEntry(RejectReason.TOO_LARGE, 2L);
    }

    @Test
    void takesTheNameOfADeadProcessAndOfAFileThatVanished() throws Exception {
        ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(path));
        dead.close(); // the file stays behind
        assertThat(path).exists();
        start();
        try (SocketChannel writer = connect()) {
            Files.delete(path);
            await(() -> {
                now.addAndGet(3_000_000_000L);
                return Files.exists(path);
            });
            try (SocketChannel later = connectOnceSomebodyListens()) {
                write(later, String.format(FRAME, "later", 1) + "\n");
                awaitFrames(1);
            }
            write(writer, String.format(FRAME, "early", 1) + "\n");
            awaitFrames(2);
        }
        source.close();
        assertThat(path).doesNotExist();
    }

    @Test
    void leavesALiveSocketAndAForeignFileAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("notes.txt"), "precious");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));
            NdjsonFrameSource blocked = new NdjsonFrameSource(
                    65_536,
                    List.of(
                            new PoolSource<>(0, new NdjsonSource(path)),
                            new PoolSource<>(0, new NdjsonSource(file)),
                            new PoolSource<>(0, new NdjsonSource(folder.resolve("absent/x.sock")))),
                    now::get);
            blocked.start(new FrameRing(16), () -> {});
            await(() -> blocked.endpoints().stream()
                    .noneMatch(status -> status.detail().isEmpty()));
            assertThat(blocked.endpoints().stream().map(EndpointStatus::detail).toList())
                    .containsExactly(
                            "another process listens there",
                            "a file that is no socket is in the way",
                            "there is no directory " + folder.resolve("absent"));
            blocked.close();
        }
        assertThat(file).hasContent("precious");
        assertThat(path).exists();
    }

    private void start() {
        source.start(ring, () -> {});
        await(() -> status().state() == EndpointState.CONNECTED);
    }

    private EndpointStatus status() {
        return source.endpoints().get(0);
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
    }

    /** A name is there a moment before anybody listens under it. */
    private SocketChannel connectOnceSomebodyListens() throws IOException {
        List<SocketChannel> connected = new ArrayList<>();
        await(() -> {
            try {
                connected.add(connect());
            } catch (ConnectException e) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        });
        return connected.get(0);
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void awaitFrames(int count) {
        await(() -> frames.size() == count);
    }

    private void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            ring.drain(64, slot -> {
                if (slot.reject() == null) {
                    frames.add(new FpmFrame().set(slot.frame()));
                } else {
                    rejects.add(slot.reject());
                }
            });
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
