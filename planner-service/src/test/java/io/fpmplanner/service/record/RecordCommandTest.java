/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.recording.Recording;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class RecordCommandTest {
    private static final long DEADLINE_SECONDS = 60;

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void recordsWhatIsPublishedUntilTheFileIsFull() throws Exception {
        Path file = folder.resolve("live.fpmlog");
        try (TestPublisher publisher = new TestPublisher()) {
            CompletableFuture<Integer> command = CompletableFuture.supplyAsync(
                    () -> run("--out", file.toString(), "--source", publisher.endpoint(), "--max-bytes", "8k"));
            publisher.awaitSubscriber();
            while (!command.isDone()) {
                publisher.sendDecode("w");
                Thread.onSpinWait();
            }
            assertThat(command.get(DEADLINE_SECONDS, TimeUnit.SECONDS)).isZero();
        }

        assertThat(Files.size(file)).isBetween(7_000L, 8_000L);
        assertThat(err.toString()).contains("recorded ", "and is full");
        FpmFrame frame = new FpmFrame();
        try (Recording recording = Recording.open(file)) {
            long previous = -1;
            int frames = 0;
            while (recording.next(frame)) {
                assertThat(frame.workerId()).isEqualTo("w");
                assertThat(frame.endpoint()).startsWith("tcp://127.0.0.1:");
                assertThat(frame.receivedNanos()).isPositive();
                assertThat(previous < 0 || frame.sequence() == previous + 1).isTrue();
                previous = frame.sequence();
                frames++;
            }
            assertThat(frames).isGreaterThan(10);
            assertThat(recording.report().isClean()).isTrue();
        }
        assertThat(run("--out", file.toString(), "--source", "tcp://127.0.0.1:1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("exists; choose another name");
    }

    @Test
    void aTimeLimitEndsItAndSilentEndpointsAreNamed() {
        Path file = folder.resolve("silent.fpmlog");

        assertThat(run("-o", file.toString(), "-s", "tcp://127.0.0.1:1", "--duration", "0.05s"))
                .isZero();

        assertThat(err.toString()).contains("recorded 0 messages", "nothing came from tcp://127.0.0.1:1");
        assertThat(run("-o", file.toString(), "-s", "tcp://127.0.0.1:1", "--duration", "0.05", "--append"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--out x.fpmlog | Name sources",
                "--source tcp://127.0.0.1:1 | --out",
                "--out x.fpmlog --source http | nothing listens here",
                "--out x.fpmlog --source ftp://a | must be one of",
                "--out x.fpmlog --source tcp://a:1 --duration soon | a time such as",
                "--out x.fpmlog --source tcp://a:1 --max-bytes 0 | a size such as",
                "--out absent/x.fpmlog --source tcp://127.0.0.1:1 | there is no",
                "--out x.fpmlog --config absent.yaml | absent.yaml",
            })
    void wrongUsageIsExplained(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
        assertThat(Path.of("x.fpmlog")).doesNotExist();
    }

    private int run(String... arguments) {
        return new CommandLine(new RecordCommand()).setErr(new PrintWriter(err)).execute(arguments);
    }
}
