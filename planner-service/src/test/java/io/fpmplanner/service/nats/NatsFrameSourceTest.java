/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.nats;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.config.NatsSource;
import io.fpmplanner.service.config.SourceSpec;
import io.fpmplanner.service.frames.FrameJson;
import io.fpmplanner.service.source.EndpointState;
import io.fpmplanner.service.source.EndpointStatus;
import io.fpmplanner.service.source.FrameRing;
import io.fpmplanner.service.source.PoolSource;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Against a server that speaks just enough of the NATS protocol; the real one is met in the checks of the gate. */
class NatsFrameSourceTest {
    private static final long DEADLINE_NANOS = 60_000_000_000L;

    private final FrameRing ring = new FrameRing(64);
    private final List<FpmFrame> frames = new ArrayList<>();

    @Test
    void takesEventsAndSubscribesAgainAfterALoss() throws Exception {
        try (ToyServer server = new ToyServer();
                NatsFrameSource source = source(server.port(), Map.of())) {
            source.start(ring, () -> {});
            try (Client client = server.accept()) {
                assertThat(client.subscription).startsWith("SUB namespace.*.component.backend.> ");
                client.send(envelope(17, "forward-pass-metrics", payload("w", 1)));
                client.send(envelope(18, "kv-events", new byte[] {1}));
                client.send("rubbish".getBytes(US_ASCII));
                await(() -> frames.size() == 1 && status(source).counts().messagesIgnored() == 1);
                await(() -> status(source).counts().rejected().size() == 1);
            }
            await(() -> status(source).state() == EndpointState.CONNECTING);
            try (Client client = server.accept()) {
                client.send(envelope(17, "forward-pass-metrics", payload("w", 2)));
                await(() -> frames.size() == 2);
                assertThat(status(source).state()).isEqualTo(EndpointState.CONNECTED);
                assertThat(status(source).counts().connects()).isEqualTo(2);
            }
        }

        assertThat(frames).allSatisfy(frame -> {
            assertThat(frame.publisherId()).isEqualTo(17);
            assertThat(frame.workerId()).isEqualTo("w");
            assertThat(frame.endpoint()).endsWith("/namespace.*.component.backend.>");
        });
        assertThat(frames.get(1).streamPosition()).isEqualTo(2);
    }

    @Test
    void presentsTheCredentialsOfTheEnvironment() throws Exception {
        try (ToyServer server = new ToyServer();
                NatsFrameSource source = source(
                        server.port(), Map.of("NATS_AUTH_USERNAME", "planner", "NATS_AUTH_PASSWORD", "secret"))) {
            source.start(ring, () -> {});
            try (Client client = server.accept()) {
                assertThat(client.connect).contains("\"user\":\"planner\"", "\"pass\":\"secret\"");
            }
        }
    }

    private static NatsFrameSource source(int port, Map<String, String> environment) {
        NatsSource spec =
                (NatsSource) SourceSpec.parse("nats://127.0.0.1:" + port + "/namespace.*.component.backend.>");
        return new NatsFrameSource(65_536, List.of(new PoolSource<>(0, spec)), System::nanoTime, environment);
    }

    private static EndpointStatus status(NatsFrameSource source) {
        return source.endpoints().get(0);
    }

    private void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            ring.drain(64, slot -> {
                if (slot.reject() == null) {
                    frames.add(new FpmFrame().set(slot.frame()));
                }
            });
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static byte[] payload(String worker, int counter) {
        FpmFrame frame = new FpmFrame();
        frame.clearPayload()
                .workerId(worker)
                .counterId(counter)
                .wallTimeSeconds(0.02)
                .scheduledDecode(4, 4_000, 0);
        return FrameJson.payload(frame.view());
    }

    private static byte[] envelope(long publisher, String topic, byte[] payload) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(4);
            packer.packString("publisher_id").packLong(publisher);
            packer.packString("sequence").packLong(1);
            packer.packString("topic").packString(topic);
            packer.packString("payload").packBinaryHeader(payload.length).writePayload(payload);
            return packer.toByteArray();
        }
    }

    /** Listens; each client is greeted and its subscription awaited. */
    private static final class ToyServer implements AutoCloseable {
        private final ServerSocket socket;

        ToyServer() throws IOException {
            socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        }

        int port() {
            return socket.getLocalPort();
        }

        Client accept() throws IOException {
            return new Client(socket.accept(), port());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** One connected client of the toy server. */
    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private String connect = "";
        private String subscription = "";
        private String id = "";

        Client(Socket socket, int port) throws IOException {
            this.socket = socket;
            write("INFO {\"server_id\":\"T\",\"version\":\"2.9.10\",\"go\":\"go1\",\"host\":\"127.0.0.1\",\"port\":"
                    + port + ",\"headers\":true,\"max_payload\":1048576,\"proto\":1}\r\n");
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            while (id.isEmpty()) {
                String line = lines.readLine();
                if (line == null) {
                    throw new IOException("the client hung up before it subscribed");
                }
                if (line.startsWith("CONNECT")) {
                    connect = line;
                } else if (line.startsWith("PING")) {
                    write("PONG\r\n");
                } else if (line.startsWith("SUB namespace")) {
                    subscription = line;
                    id = line.substring(line.lastIndexOf(' ') + 1);
                }
            }
        }

        void send(byte[] body) throws IOException {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            message.writeBytes(
                    ("MSG namespace.n.component.backend.x " + id + " " + body.length + "\r\n").getBytes(US_ASCII));
            message.writeBytes(body);
            message.writeBytes(new byte[] {'\r', '\n'});
            socket.getOutputStream().write(message.toByteArray());
            socket.getOutputStream().flush();
        }

        private void write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(US_ASCII));
            socket.getOutputStream().flush();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
