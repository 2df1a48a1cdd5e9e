/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.TcpSource;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Names that come, go and stand for many addresses; and what happens when nobody drains. */
class ZmqFrameSourceTest {
    private static final long DEADLINE_NANOS = 30_000_000_000L;
    private static final LongSupplier CLOCK = System::nanoTime;

    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();

    @Test
    void aNameIsPickedUpWhenItResolvesAndStandsForAllItsAddresses() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                ZmqFrameSource source = source("tcp://engines:" + publisher.port())) {
            FrameRing ring = new FrameRing(256);
            source.start(ring, () -> {});
            await(() -> source.endpoints().get(0).state() == EndpointState.UNRESOLVABLE);

            names.put(
                    "engines",
                    List.of(
                            InetAddress.getByAddress("engines", new byte[] {127, 0, 0, 1}),
                            InetAddress.getByAddress("engines", new byte[] {127, 0, 0, 2})));
            publisher.awaitSubscriber();
            publisher.sendDecode("w");

            await(() -> ring.size() == 1);
            assertThat(source.endpoints())
                    .extracting(EndpointStatus::endpoint)
                    .containsExactly("tcp://127.0.0.1:" + publisher.port(), "tcp://127.0.0.2:" + publisher.port());
            ring.drain(1, slot -> assertThat(slot.frame().endpoint()).isEqualTo("tcp://127.0.0.1:" + publisher.port()));
            await(() -> source.endpoints().get(0).state() == EndpointState.CONNECTED);

            // An address that left the name and does not answer is forgotten; a live connection is kept in any case.
            names.put("engines", List.of(InetAddress.getByAddress("engines", new byte[] {127, 0, 0, 3})));
            await(() -> source.endpoints().stream()
                    .map(EndpointStatus::endpoint)
                    .toList()
                    .equals(List.of("tcp://127.0.0.1:" + publisher.port(), "tcp://127.0.0.3:" + publisher.port())));
            names.remove("engines");
            publisher.sendDecode("w");
            await(() -> source.endpoints().get(0).counts().framesReceived() == 2);
        }
    }

    @Test
    void theOldestFramesMakeRoomInTheRingAndAreCounted() throws Exception {
        try (TestPublisher publisher = new TestPublisher();
                ZmqFrameSource source = source(publisher.endpoint())) {
            FrameRing ring = new FrameRing(256);
            source.start(ring, () -> {});
            publisher.awaitSubscriber();
            for (int i = 0; i < 300; i++) {
                publisher.sendDecode("w");
            }

            await(() -> source.endpoints().get(0).counts().framesReceived() == 300);
            long dropped = source.endpoints().get(0).counts().framesDropped();
            assertThat(dropped).isBetween(44L, 44L + 16);
            List<Long> kept = new ArrayList<>();
            ring.drain(300, slot -> kept.add(slot.frame().sequence()));
            assertThat(kept).hasSize((int) (300 - dropped)).startsWith(dropped).endsWith(299L);
        }
    }

    @Test
    void portsOfARangeAreEndpointsOfTheirOwn() throws Exception {
        try (ZmqFrameSource source = source("tcp://127.0.0.1:20380-20383")) {
            source.start(new FrameRing(256), () -> {});
            await(() -> source.endpoints().size() == 4);

            assertThat(source.endpoints())
                    .extracting(EndpointStatus::endpoint)
                    .containsExactly(
                            "tcp://127.0.0.1:20380",
                            "tcp://127.0.0.1:20381",
                            "tcp://127.0.0.1:20382",
                            "tcp://127.0.0.1:20383");
            assertThat(source.endpoints())
                    .extracting(EndpointStatus::source)
                    .containsOnly("tcp://127.0.0.1:20380-20383");
        }
    }

    @Test
    void aPeerThatWaitsForAnotherProtocolIsFoundIncompatible() throws Exception {
        // Takes connections, by its backlog, and never says anything.
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ZmqFrameSource source = source("tcp://127.0.0.1:" + silent.getLocalPort())) {
            source.start(new FrameRing(256), () -> {});

            await(() -> source.endpoints().get(0).state() == EndpointState.INCOMPATIBLE);
        }
    }

    @Test
    void itStartsOnceAndEndsItsThread() throws Exception {
        ZmqFrameSource source = source("tcp://127.0.0.1:1");
        assertThat(source.isReceiving()).isFalse();
        source.start(new FrameRing(256), () -> {});
        assertThat(source.isReceiving()).isTrue();
        assertThatThrownBy(() -> source.start(new FrameRing(256), () -> {})).isInstanceOf(IllegalStateException.class);

        source.close();

        assertThat(source.isReceiving()).isFalse();
    }

    private ZmqFrameSource source(String sources) throws Exception {
        ServiceConfig config = ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", sources),
                        List.of("zeromq.resolveSeconds=1", "zeromq.reconnectMaxSeconds=0.25"))
                .config();
        return new ZmqFrameSource(config.zeromq(), PoolSource.of(config.pools(), TcpSource.class), CLOCK, this::lookUp);
    }

    private List<InetAddress> lookUp(String host) throws UnknownHostException {
        List<InetAddress> addresses = names.get(host);
        if (addresses == null) {
            throw new UnknownHostException(host);
        }
        return addresses;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never came true");
            }
            Thread.onSpinWait();
        }
    }
}
