/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.SourceSpec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import picocli.CommandLine;

/** Between sockets of another implementation. */
class RelayTest {
    private static final long DEADLINE_SECONDS = 60;
    private static final int TURN_MILLIS = 50;

    private final List<String> said = new CopyOnWriteArrayList<>();

    @Test
    void passesEveryByteOnAlsoAfterEitherSideWasAway() throws Exception {
        Relay relay;
        CompletableFuture<Void> running;
        int enginePort;
        int plannerPort;
        try (TestPublisher first = new TestPublisher()) {
            enginePort = first.port();
            try (ZContext context = new ZContext()) {
                ZMQ.Socket planner = bind(context, 0);
                plannerPort = Integer.parseInt(planner.getLastEndpoint().replaceFirst(".*:", ""));
                relay = new Relay(
                        List.of(SourceSpec.parse(first.endpoint())),
                        List.of(SourceSpec.parse("tcp://127.0.0.1:" + plannerPort)),
                        said::add);
                running = CompletableFuture.runAsync(() -> run(relay));
                first.awaitSubscriber();
                comesThrough(first, planner, "first");
            }
            try (ZContext context = new ZContext()) {
                comesThrough(first, bind(context, plannerPort), "planner was away");
            }
        }
        try (ZContext context = new ZContext();
                TestPublisher again = new TestPublisher(enginePort)) {
            again.awaitSubscriber();
            comesThrough(again, bind(context, plannerPort), "engine was away");
        }
        relay.stop();
        running.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertThat(relay.counts())
                .hasSize(1)
                .first()
                .asString()
                .matches("relay: \\d+ received, \\d+ sent, \\d+ dropped");
        assertThat(said).first().asString().startsWith("subscribing to tcp://127.0.0.1:");
    }

    private static ZMQ.Socket bind(ZContext context, int port) {
        ZMQ.Socket socket = context.createSocket(SocketType.SUB);
        socket.setLinger(0);
        socket.setRcvHWM(0);
        socket.subscribe(new byte[0]);
        socket.setReceiveTimeOut(TURN_MILLIS);
        socket.bind("tcp://127.0.0.1:" + (port == 0 ? "*" : port));
        return socket;
    }

    private static void run(Relay relay) {
        try {
            relay.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends until something of it comes out, of short and long parts and an empty one. */
    private static void comesThrough(TestPublisher from, ZMQ.Socket to, String text) {
        byte[] topic = text.getBytes(US_ASCII);
        byte[] empty = new byte[0];
        byte[] large = new byte[70_000];
        large[69_999] = 7;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        List<byte[]> parts = List.of();
        while (parts.isEmpty() || !new String(parts.get(0), US_ASCII).equals(text)) {
            assertThat(System.nanoTime()).as("deadline: " + text).isLessThan(deadline);
            from.send(topic, empty, large);
            parts = receive(to);
        }
        assertThat(parts).hasSize(3);
        assertThat(parts.get(1)).isEmpty();
        assertThat(parts.get(2)).isEqualTo(large);
    }

    private static List<byte[]> receive(ZMQ.Socket socket) {
        List<byte[]> parts = new ArrayList<>();
        for (byte[] part = socket.recv(); part != null; part = socket.hasReceiveMore() ? socket.recv() : null) {
            parts.add(part);
        }
        return parts;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--from tcp://127.0.0.1:1 | --to",
                "--to tcp://127.0.0.1:1 | --from",
                "--from http --to tcp://127.0.0.1:1 | --from must be",
                "--from tcp://127.0.0.1:1 --to tcp://127.0.0.1:1-2 | --to must be",
                "--from tcp://127.0.0.1:1 --to nats://127.0.0.1:4222/a.> | without wildcards",
                "--from nonsense --to tcp://127.0.0.1:1 | must be one of",
            })
    void wrongUsageIsExplained(String arguments, String message) {
        StringWriter err = new StringWriter();

        int code =
                new CommandLine(new RelayCommand()).setErr(new PrintWriter(err)).execute(arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
