/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZFrame;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

@Timeout(30)
class ForwardPassPublisherTest {
    private static final int RECEIVE_TIMEOUT_MILLIS = 20_000;
    private static final long SECOND = 1_000_000_000L;
    private static final PublisherAddress TCP = new PublisherAddress.Tcp("*", 1);

    private final AtomicLong nowNanos = new AtomicLong();
    private ZContext context;

    @BeforeEach
    void openContext() {
        context = new ZContext();
    }

    @AfterEach
    void closeContext() {
        context.close();
    }

    @Test
    void a_message_has_three_frames_and_the_sequence_is_the_counter() throws Exception {
        try (ForwardPassPublisher publisher = ForwardPassPublisher.bind(loopback(3), nowNanos::get, context)) {
            ZMQ.Socket subscriber = subscribe(publisher);

            ZMsg message = publishUntilReceived(publisher, subscriber);

            long sequence = ByteBuffer.wrap(frame(message, 1)).getLong();
            assertThat(message).hasSize(3);
            assertThat(frame(message, 0)).isEmpty();
            assertThat(frame(message, 1)).hasSize(8);
            assertThat(frame(message, 2))
                    .isEqualTo(new ForwardPassEncoder(WireDialect.V1).encode(step(77).withCounterId(sequence)));
        }
    }

    @Test
    void numbers_follow_each_other_without_a_gap() throws Exception {
        try (ForwardPassPublisher publisher = ForwardPassPublisher.bind(loopback(0), nowNanos::get, context)) {
            ZMQ.Socket subscriber = subscribe(publisher);
            publishUntilReceived(publisher, subscriber);
            drain(publisher, subscriber);

            IntStream.range(0, 100).forEach(i -> publisher.publish(step(i)));

            List<Long> sequences = IntStream.range(0, 100)
                    .mapToObj(i -> sequence(ZMsg.recvMsg(subscriber)))
                    .toList();
            long first = sequences.get(0);
            assertThat(sequences)
                    .isEqualTo(IntStream.range(0, 100).mapToObj(i -> first + i).toList());
            assertThat(publisher.published()).isEqualTo(first + 100);
            assertThat(publisher.dropped()).isZero();
        }
    }

    @Test
    void a_second_of_silence_brings_a_heartbeat_and_only_then() throws Exception {
        try (ForwardPassPublisher publisher = ForwardPassPublisher.bind(loopback(2), nowNanos::get, context)) {
            ZMQ.Socket subscriber = subscribe(publisher);
            publishUntilReceived(publisher, subscriber);
            drain(publisher, subscriber);
            assertThat(publisher.heartbeats()).isZero();

            nowNanos.addAndGet(SECOND);

            ZMsg message = ZMsg.recvMsg(subscriber);
            assertThat(frame(message, 2))
                    .isEqualTo(new ForwardPassEncoder(WireDialect.V1)
                            .encode(ForwardPassMetrics.heartbeat("worker-a", 2).withCounterId(sequence(message))));
        }
    }

    @Test
    void a_full_queue_drops_and_counts_and_takes_no_number() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        PublisherSettings four =
                new PublisherSettings(new PublisherAddress.Tcp("127.0.0.1", 0), "worker-a", 0, 4, 1.0, WireDialect.V1);
        ForwardPassPublisher publisher = ForwardPassPublisher.bind(
                four,
                () -> {
                    entered.countDown();
                    awaitQuietly(release);
                    return 0;
                },
                context);
        entered.await(); // The publisher thread now waits in the clock and takes nothing.

        long accepted =
                IntStream.range(0, 10).filter(i -> publisher.publish(step(i))).count();
        release.countDown();
        publisher.close();

        assertThat(accepted).isEqualTo(4);
        assertThat(publisher.published()).isEqualTo(4);
        assertThat(publisher.publish(step(1))).isFalse();
        assertThat(publisher.dropped()).isEqualTo(7);
    }

    @Test
    void a_taken_port_is_named_in_the_error() throws Exception {
        try (ForwardPassPublisher first = ForwardPassPublisher.bind(loopback(0), nowNanos::get, context)) {
            PublisherSettings taken =
                    PublisherSettings.of(first.port(), "other", 0).onHost("127.0.0.1");

            assertThatThrownBy(() -> ForwardPassPublisher.bind(taken, nowNanos::get, context))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("tcp://127.0.0.1:" + first.port());
        }
    }

    @Test
    void the_rank_is_added_to_the_port() throws Exception {
        for (int attempt = 0; ; attempt++) {
            int free = freePort();
            PublisherSettings rankOne =
                    PublisherSettings.of(free - 1, "worker-a", 1).onHost("127.0.0.1");
            try (ForwardPassPublisher publisher = ForwardPassPublisher.bind(rankOne, nowNanos::get)) {
                assertThat(publisher.endpoint()).isEqualTo("tcp://127.0.0.1:" + free);
                return;
            } catch (BindException taken) {
                // Somebody else may get the port in between; hardly five times.
                assertThat(attempt).as(taken.getMessage()).isLessThan(5);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    @Test
    void impossible_settings_are_refused_with_the_value() {
        assertThatThrownBy(() -> PublisherSettings.of(65_535, "w", 1)).hasMessageContaining("65535 + 1");
        assertThatThrownBy(() -> PublisherSettings.of(1, "w", -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new PublisherSettings(TCP, "w", 0, 0, 1, WireDialect.V1))
                .hasMessageContaining("queueCapacity");
        assertThatThrownBy(() -> new PublisherSettings(TCP, "w", 0, 1, Double.NaN, WireDialect.V1))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> PublisherSettings.ofIpc("relative", "w", 0)).hasMessageContaining("relative.0");
        assertThatThrownBy(() -> PublisherSettings.ofIpc("/" + "x".repeat(100), "w", 0))
                .hasMessageContaining("at most 100");
    }

    private static PublisherSettings loopback(int dpRank) {
        return PublisherSettings.of(0, "worker-a", dpRank).onHost("127.0.0.1");
    }

    private static ForwardPassMetrics step(int tokens) {
        return new ForwardPassMetrics(
                "worker-a", 0, -1, null, 0.0125, new ScheduledRequests(1, tokens, 0, 0, 0, 0, 0), QueuedRequests.NONE);
    }

    private ZMQ.Socket subscribe(ForwardPassPublisher publisher) {
        ZMQ.Socket subscriber = context.createSocket(SocketType.SUB);
        subscriber.setReceiveTimeOut(RECEIVE_TIMEOUT_MILLIS);
        subscriber.subscribe(new byte[0]);
        assertThat(subscriber.connect(publisher.endpoint())).isTrue();
        return subscriber;
    }

    /** Publishes until the subscription has reached the publisher; what went before it is lost, as with any PUB. */
    private static ZMsg publishUntilReceived(ForwardPassPublisher publisher, ZMQ.Socket subscriber) {
        subscriber.setReceiveTimeOut(50);
        ZMsg message = null;
        while (message == null) {
            publisher.publish(step(77));
            message = ZMsg.recvMsg(subscriber);
        }
        subscriber.setReceiveTimeOut(RECEIVE_TIMEOUT_MILLIS);
        return message;
    }

    /** Receives up to a marker record, so that nothing earlier is under way any more. */
    private static void drain(ForwardPassPublisher publisher, ZMQ.Socket subscriber) {
        publisher.publish(step(424_242));
        byte[] marker = {(byte) 0xce, 0x00, 0x06, 0x79, 0x32};
        boolean seen = false;
        while (!seen) {
            byte[] payload = frame(ZMsg.recvMsg(subscriber), 2);
            seen = indexOf(payload, marker) >= 0;
        }
    }

    private static int indexOf(byte[] text, byte[] part) {
        for (int i = 0; i + part.length <= text.length; i++) {
            if (Arrays.equals(text, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        return -1;
    }

    private static byte[] frame(ZMsg message, int index) {
        return message.toArray(new ZFrame[0])[index].getData();
    }

    private static long sequence(ZMsg message) {
        return ByteBuffer.wrap(frame(message, 1)).getLong();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
