/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Unix socket read by a subscriber that is spelt out byte by byte; libzmq's own is for the gate. */
@Timeout(30)
class IpcPublicationTest {
    @TempDir
    private Path directory;

    private final AtomicLong nowNanos = new AtomicLong();

    private static byte[] greeting() {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        bytes.put((byte) 0xff).position(9).put((byte) 0x7f).put((byte) 3).put((byte) 1);
        bytes.put("NULL".getBytes(StandardCharsets.US_ASCII));
        return bytes.array();
    }

    private static byte[] command(String name, byte[] body) {
        return ByteBuffer.allocate(3 + name.length() + body.length)
                .put((byte) 4)
                .put((byte) (1 + name.length() + body.length))
                .put((byte) name.length())
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .put(body)
                .array();
    }

    private ForwardPassPublisher bind(int dpRank) throws BindException {
        String base = directory.resolve("fpm").toString();
        return ForwardPassPublisher.bind(PublisherSettings.ofIpc(base, "worker-a", dpRank), nowNanos::get);
    }

    private SocketChannel connect(int dpRank) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("fpm." + dpRank)));
    }

    private static byte[] frame(DataInputStream in, int flags) throws IOException {
        int found = in.readUnsignedByte();
        assertThat(found & ~2).isEqualTo(flags);
        byte[] body = new byte[(found & 2) != 0 ? (int) in.readLong() : in.readUnsignedByte()];
        in.readFully(body);
        return body;
    }

    private static DataInputStream handshake(SocketChannel channel) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
        // In pieces, as libzmq does it.
        channel.write(ByteBuffer.wrap(greeting(), 0, 11));
        channel.write(ByteBuffer.wrap(greeting(), 11, 53));
        byte[] theirs = new byte[64];
        in.readFully(theirs);
        assertThat(theirs[0] & 0xff).isEqualTo(0xff);
        assertThat(theirs[10]).isEqualTo((byte) 3);
        assertThat(new String(theirs, 12, 4, StandardCharsets.US_ASCII)).isEqualTo("NULL");
        assertThat(new String(frame(in, 4), StandardCharsets.ISO_8859_1)).endsWith("Socket-Type\0\0\0\3PUB");
        channel.write(
                ByteBuffer.wrap(command("READY", "\13Socket-Type\0\0\0\3SUB".getBytes(StandardCharsets.ISO_8859_1))));
        return in;
    }

    /** Publishes on and on: what goes before a subscription has arrived is lost. */
    private static Thread publishing(ForwardPassPublisher publisher) {
        Thread thread = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                publisher.publish(ForwardPassMetrics.heartbeat("worker-a", 1));
                LockSupport.parkNanos(200_000);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static long step(DataInputStream in) throws IOException {
        assertThat(frame(in, 1)).isEmpty();
        long sequence = ByteBuffer.wrap(frame(in, 1)).getLong();
        assertThat(frame(in, 0))
                .isEqualTo(new ForwardPassEncoder(WireDialect.V1)
                        .encode(ForwardPassMetrics.heartbeat("worker-a", 1).withCounterId(sequence)));
        return sequence;
    }

    @Test
    void the_rank_is_the_suffix_and_both_forms_of_subscription_are_heard() throws Exception {
        try (ForwardPassPublisher publisher = bind(1)) {
            assertThat(publisher.endpoint()).isEqualTo("ipc://" + directory.resolve("fpm.1"));
            Thread engine = publishing(publisher);
            try (SocketChannel channel = connect(1)) {
                DataInputStream in = handshake(channel);
                channel.write(ByteBuffer.wrap(new byte[] {0, 1, 1}));
                long first = step(in);
                assertThat(step(in)).isEqualTo(first + 1);
            }
            try (SocketChannel channel = connect(1)) {
                DataInputStream in = handshake(channel);
                channel.write(ByteBuffer.wrap(command("SUBSCRIBE", new byte[0])));
                assertThat(step(in)).isPositive();
            }
            engine.interrupt();
        }
        assertThat(directory.resolve("fpm.1")).doesNotExist();
    }

    @Test
    void pings_are_answered_and_strangers_are_cut_off() throws Exception {
        try (ForwardPassPublisher publisher = bind(0);
                SocketChannel stranger = connect(0);
                SocketChannel channel = connect(0)) {
            stranger.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            DataInputStream in = handshake(channel);
            channel.write(ByteBuffer.wrap(command("PING", new byte[] {0, 10, 'h', 'i'})));
            assertThat(frame(in, 4)).isEqualTo("\4PONGhi".getBytes(StandardCharsets.US_ASCII));
            assertThat(Channels.newInputStream(stranger).readAllBytes()).isNotNull();
            assertThat(publisher.dropped()).isZero();
        }
    }

    @Test
    void a_subscriber_that_lags_loses_what_exceeds_its_thousand() throws Exception {
        try (ForwardPassPublisher publisher = bind(0);
                SocketChannel channel = connect(0)) {
            DataInputStream in = handshake(channel);
            channel.write(ByteBuffer.wrap(new byte[] {0, 1, 1}));
            Thread engine = publishing(publisher);
            long first = step(in);
            engine.interrupt();
            engine.join();
            // Nothing is read while far more than socket buffers and the mark hold is sent.
            long before = publisher.published();
            for (int i = 0; i < 20_000; i++) {
                while (!publisher.publish(ForwardPassMetrics.heartbeat("worker-a", 1))) {
                    Thread.onSpinWait();
                }
            }
            while (publisher.published() < before + 20_000) {
                Thread.onSpinWait();
            }
            long received = 0;
            long last = first;
            Thread again = publishing(publisher);
            while (last < before + 20_000) {
                last = step(in);
                received++;
            }
            again.interrupt();
            assertThat(received).isBetween(1_000L, 20_000L);
        }
    }

    @Test
    void a_socket_left_behind_is_replaced_and_a_bad_directory_named() throws Exception {
        Files.createFile(directory.resolve("fpm.2"));
        try (ForwardPassPublisher publisher = bind(2)) {
            assertThat(publisher.endpoint()).endsWith("fpm.2");
        }
        String nowhere = directory.resolve("absent/fpm").toString();
        assertThatThrownBy(() -> ForwardPassPublisher.bind(PublisherSettings.ofIpc(nowhere, "w", 0), nowNanos::get))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("absent/fpm.0");
    }
}
