/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static io.fpmplanner.service.zmtp.Wire.ascii;
import static io.fpmplanner.service.zmtp.Wire.join;
import static io.fpmplanner.service.zmtp.Wire.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.ServiceClock;
import io.fpmplanner.service.TestPublisher;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.SourceScheme;
import io.fpmplanner.service.config.TcpBindSource;
import io.fpmplanner.service.zmtp.Wire;
import io.fpmplanner.service.zmtp.WirePublisher;
import io.fpmplanner.service.zmtp.ZmtpLimits;
import io.fpmplanner.service.zmtp.ZmtpReactor;
import io.fpmplanner.service.zmtp.ZmtpSettings;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.WireDialect;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Real sockets of every kind that the source serves; over TCP the other side is JeroMQ. */
class ZmtpFrameSourceTest {
    private static final long DEADLINE_NANOS = 30_000_000_000L;
    private static final byte[] EMPTY = {};

    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
    private final FrameRing ring = new FrameRing(256);
    private final List<String> frames = new ArrayList<>();

    @TempDir
    Path directory;

    private ZmtpFrameSource source;

    @AfterEach
    void close() {
        if (source != null) {
            source.close();
        }
    }

    @Test
    void aNameIsPickedUpWhenItResolvesAndStandsForAllItsAddresses() throws Exception {
        try (TestPublisher publisher = new TestPublisher()) {
            start("tcp://engines:" + publisher.port());
            await(() -> state(0) == EndpointState.UNRESOLVABLE);
            assertThat(source.endpoints().get(0).endpoint()).isEqualTo("tcp://engines:" + publisher.port());

            names.put("engines", List.of(address(1), address(2)));
            publisher.awaitSubscriber();
            publisher.sendDecode("w");

            await(() -> ring.size() == 1);
            assertThat(endpoints())
                    .containsExactly("tcp://127.0.0.1:" + publisher.port(), "tcp://127.0.0.2:" + publisher.port());
            assertThat(drain()).containsExactly("tcp://127.0.0.1:" + publisher.port() + " w 0");

            // An address that left the name and does not answer is forgotten; a live connection is kept in any case.
            names.put("engines", List.of(address(3)));
            await(() -> endpoints().contains("tcp://127.0.0.3:" + publisher.port())
                    && !endpoints().toString().contains("127.0.0.2"));
            names.remove("engines");
            publisher.sendDecode("w");
            await(() -> received("tcp://127.0.0.1:" + publisher.port()) == 2);
        }
    }

    @Test
    void theOldestFramesMakeRoomInTheRingAndAreCounted() throws Exception {
        try (TestPublisher publisher = new TestPublisher()) {
            start(publisher.endpoint());
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
    void aPublisherThatGoesAndComesBackIsConnectedAgain() throws Exception {
        TestPublisher first = new TestPublisher();
        start(first.endpoint());
        first.awaitSubscriber();
        first.close();
        await(() -> state(0) == EndpointState.CONNECTING);
        try (TestPublisher second = new TestPublisher(first.port())) {
            second.awaitSubscriber();
            second.sendDecode("again");
            await(() -> ring.size() == 1);
        }
        assertThat(source.endpoints().get(0).counts().connects()).isEqualTo(2);
    }

    @Test
    void portsOfARangeAreEndpointsOfTheirOwnAndSayWhyTheyFail() throws Exception {
        start("tcp://127.0.0.1:1-3");
        await(() -> source.endpoints().size() == 3
                && source.endpoints().stream().noneMatch(each -> each.detail().isEmpty()));

        assertThat(endpoints()).containsExactly("tcp://127.0.0.1:1", "tcp://127.0.0.1:2", "tcp://127.0.0.1:3");
        assertThat(source.endpoints()).allSatisfy(each -> {
            assertThat(each.source()).isEqualTo("tcp://127.0.0.1:1-3");
            assertThat(each.state()).isEqualTo(EndpointState.CONNECTING);
            assertThat(each.detail()).isEqualTo("Connection refused");
        });
    }

    @Test
    void aPeerThatTakesConnectionsAndSaysNothingIsIncompatible() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            start("tcp://127.0.0.1:" + silent.getLocalPort());

            await(() -> state(0) == EndpointState.INCOMPATIBLE);
            assertThat(source.endpoints().get(0).detail()).contains("does not greet");
        }
    }

    @Test
    void aSocketOfAnotherTypeIsIncompatibleAndSaysWhichItIs() throws Exception {
        try (ZContext context = new ZContext()) {
            int port = context.createSocket(SocketType.PUSH).bindToRandomPort("tcp://127.0.0.1");
            start("tcp://127.0.0.1:" + port);

            await(() -> state(0) == EndpointState.INCOMPATIBLE);
            assertThat(source.endpoints().get(0).detail()).isEqualTo("the peer is a PUSH socket, not PUB or XPUB");
        }
    }

    @Test
    void aUnixSocketIsReadFrameByFrameHoweverItsBytesArrive() throws Exception {
        Path path = directory.resolve("fpm.0");
        try (WirePublisher engine = new WirePublisher(path, 1)) {
            start("ipc://" + path);
            assertThat(engine.awaitSubscriber()).isEqualTo(Wire.join(new byte[] {4, 9}, ascii("SUBSCRIBE")));
            engine.dribble(join(frame("a", 7), frame("b", 8)), 5);

            await(() -> ring.size() == 2);
            assertThat(drain()).containsExactly("ipc://" + path + " a 7", "ipc://" + path + " b 8");
            assertThat(state(0)).isEqualTo(EndpointState.CONNECTED);

            engine.send(Wire.command("PING", (byte) 0, (byte) 0, (byte) 42));
            assertThat(engine.readFrame()).isEqualTo(Wire.join(new byte[] {4, 4}, ascii("PONG"), new byte[] {42}));
        }
    }

    @Test
    void aPeerOf30GetsTheOldFormOfSubscription() throws Exception {
        Path path = directory.resolve("fpm.0");
        try (WirePublisher engine = new WirePublisher(path, 0)) {
            start("ipc://" + path);

            assertThat(engine.awaitSubscriber()).isEqualTo(new byte[] {0, 1});
        }
    }

    @Test
    void aPatternFollowsFilesThatComeGoAndComeBack() throws Exception {
        Files.createFile(directory.resolve("fpm.not-a-socket"));
        start("ipc://" + directory + "/fpm.*");
        await(() -> state(0) == EndpointState.UNRESOLVABLE);
        assertThat(source.endpoints().get(0).detail()).isEqualTo("no socket file matches");

        Path path = directory.resolve("fpm.0");
        try (WirePublisher engine = new WirePublisher(path, 1);
                WirePublisher other = new WirePublisher(directory.resolve("fpm.1"), 1)) {
            engine.awaitSubscriber();
            other.awaitSubscriber();
            engine.send(frame("a", 0));
            await(() -> ring.size() == 1);
            await(() -> endpoints().equals(List.of("ipc://" + path, "ipc://" + path.resolveSibling("fpm.1"))));
        }
        // The files of dead engines stay behind; those who clean them up come later.
        await(() -> source.endpoints().get(0).detail().equals("Connection refused"));
        Files.delete(path);
        Files.delete(directory.resolve("fpm.1"));
        await(() -> state(0) == EndpointState.FORMER && state(1) == EndpointState.UNRESOLVABLE);
        assertThat(source.endpoints().get(0).counts().framesReceived())
                .as("counts stay")
                .isEqualTo(1);

        try (WirePublisher again = new WirePublisher(path, 1)) {
            again.awaitSubscriber();
            again.send(frame("b", 0));
            await(() -> ring.size() == 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fpm.0", "fpm.*"})
    void aPathThatIsBoundAnewIsFollowedThoughTheOldEngineLives(String file) throws Exception {
        Path path = directory.resolve("fpm.0");
        try (WirePublisher old = new WirePublisher(path, 1)) {
            start("ipc://" + directory + "/" + file);
            old.awaitSubscriber();
            old.send(frame("a", 0));
            await(() -> ring.size() == 1);
            Files.delete(path);
            try (WirePublisher next = new WirePublisher(path, 1)) {
                next.awaitSubscriber();
                next.send(frame("b", 0));
                await(() -> ring.size() == 2);
            }
        }
    }

    @Test
    void aSingleFileThatIsNotThereYetIsWaitedFor() throws Exception {
        Path path = directory.resolve("late");
        start("ipc://" + path);
        await(() -> !source.endpoints().get(0).detail().isEmpty());
        assertThat(state(0)).isEqualTo(EndpointState.CONNECTING);
        try (WirePublisher engine = new WirePublisher(path, 1)) {
            engine.awaitSubscriber();
            engine.send(frame("a", 0));
            await(() -> ring.size() == 1);
        }
    }

    @Test
    void endlessPartsCostTheConnectionAndNothingElse() throws Exception {
        Path path = directory.resolve("fpm.0");
        try (WirePublisher engine = new WirePublisher(path, 1)) {
            start("ipc://" + path);
            engine.awaitSubscriber();
            for (int i = 0; i < 17; i++) {
                engine.send(Wire.frame(1, new byte[10]));
            }
            assertThat(engine.hungUp()).isTrue();
            engine.awaitSubscriber();
            engine.send(frame("a", 0));
            await(() -> ring.size() == 1);
            EndpointCounts counts = source.endpoints().get(0).counts();
            assertThat(counts.protocolErrors()).isEqualTo(1);
            assertThat(counts.rejected()).isEmpty();
        }
    }

    @Test
    void aBoundPortTakesPublishersThatConnectEachAsAnEndpoint() throws Exception {
        start("tcp+bind://127.0.0.1:0");
        String listening = source.endpoints().get(0).endpoint();
        assertThat(listening).matches("tcp\\+bind://127\\.0\\.0\\.1:[1-9]\\d*");
        assertThat(state(0)).isEqualTo(EndpointState.LISTENING);
        String address = listening.replace("+bind", "");
        try (ZContext context = new ZContext()) {
            List<ZMQ.Socket> relays = List.of(relay(context, address), relay(context, address));
            for (ZMQ.Socket relay : relays) {
                assertThat(relay.recv()).isEqualTo(new byte[] {1});
                relay.sendMore(EMPTY);
                relay.sendMore(TestPublisher.sequenceBytes(5));
                relay.send(payload("", 5));
            }
            await(() -> ring.size() == 2);
            assertThat(drain()).allMatch(text -> text.endsWith("  5")).doesNotHaveDuplicates();
            assertThat(source.endpoints()).hasSize(3);
        }
        await(() -> source.endpoints().size() == 2);
        EndpointStatus former = source.endpoints().stream()
                .filter(each -> each.state() == EndpointState.FORMER)
                .findFirst()
                .orElseThrow();
        assertThat(former.counts().framesReceived()).isEqualTo(2);
        assertThat(former.counts().connects()).isEqualTo(2);
    }

    @Test
    void strangersAtABoundPortAreCountedThere() throws Exception {
        start("tcp+bind://127.0.0.1:0");
        int port = Integer.parseInt(source.endpoints().get(0).endpoint().replaceAll(".*:", ""));
        try (java.net.Socket stranger = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            stranger.getOutputStream().write(ascii("GET / HTTP/1.1\r\n\r\n"));
            assertThat(stranger.getInputStream().readAllBytes())
                    .as("our greeting, then the end")
                    .hasSize(64);
        }
        await(() -> source.endpoints().stream()
                        .filter(each -> each.state() == EndpointState.LISTENING)
                        .mapToLong(each -> each.counts().protocolErrors())
                        .sum()
                == 1);
    }

    @Test
    void onlyAllowedAddressesMayConnect() throws Exception {
        settings.add("zeromq.allowedAddresses=10.0.0.0/8");
        start("tcp+bind://127.0.0.1:0");
        int port = Integer.parseInt(source.endpoints().get(0).endpoint().replaceAll(".*:", ""));
        try (java.net.Socket stranger = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(stranger.getInputStream().readAllBytes())
                    .as("not even a greeting")
                    .isEmpty();
        }
        await(() -> source.endpoints().get(0).counts().protocolErrors() == 1);
    }

    @Test
    void aPortThatIsTakenIsSaidAtTheStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            source = source("tcp+bind://127.0.0.1:" + taken.getLocalPort());

            assertThatThrownBy(() -> source.start(ring, () -> {}))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot listen on tcp+bind://127.0.0.1:" + taken.getLocalPort());
            assertThat(source.isReceiving()).isFalse();
        }
    }

    @Test
    void eventsOfADirectPublisherKeepItsIdApartFromTheWorkersAndItsLossesShow() throws Exception {
        try (TestPublisher publisher = new TestPublisher()) {
            start("dynamo+" + publisher.endpoint());
            publisher.awaitSubscriber();
            publisher.send(event("forward-pass-metrics", 77, 10, "forward-pass-metrics"));
            publisher.send(event("forward-pass-metrics", 77, 14, "forward-pass-metrics"));
            publisher.send(event("kv-events", 77, 15, "kv-events"));
            publisher.send(new byte[][] {ascii("forward-pass-metrics"), EMPTY, EMPTY, EMPTY});
            publisher.send(event("forward-pass-metrics", 78, 0, "forward-pass-metrics"));

            await(() -> ring.size() == 4);
            assertThat(drain())
                    .containsExactly(
                            "dynamo+" + publisher.endpoint() + " worker-10 -1 from 77",
                            "dynamo+" + publisher.endpoint() + " worker-14 -1 from 77",
                            "dynamo+" + publisher.endpoint() + " BAD_MULTIPART",
                            "dynamo+" + publisher.endpoint() + " worker-0 -1 from 78");
            EndpointCounts counts = source.endpoints().get(0).counts();
            assertThat(counts.framesLost()).isEqualTo(3);
            assertThat(counts.messagesIgnored()).isEqualTo(1);
            assertThat(counts.rejected()).isEqualTo(Map.of(RejectReason.BAD_MULTIPART, 1L));
        }
    }

    @Test
    void activeLoadOfTheEventPlaneIsAReport() throws Exception {
        try (TestPublisher publisher = new TestPublisher()) {
            start("dynamo+" + publisher.endpoint());
            publisher.awaitSubscriber();
            byte[] load = join(
                    new byte[] {(byte) 0x83},
                    text("worker_id"),
                    number(8_465_209_922_961_459L),
                    text("dp_rank"),
                    number(1),
                    text("kv_used_blocks"),
                    number(7_716));
            publisher.send(event("kv_metrics", 77, 10, "kv_metrics", load));

            await(() -> ring.size() == 1);
            ring.drain(1, slot -> {
                assertThat(slot.reject()).isNull();
                assertThat(slot.report().workerId()).isEqualTo("8465209922961459");
                assertThat(slot.report().dpRank()).hasValue(1);
                assertThat(slot.report().usedBlocks()).hasValue(7_716);
            });
            assertThat(source.endpoints().get(0).counts().framesReceived()).isEqualTo(1);
        }
    }

    @Test
    void ofABrokerOnlySubjectsThatAreAskedForAreRead() throws Exception {
        try (TestPublisher broker = new TestPublisher()) {
            String subject = "namespace.prod.component.backend.forward-pass-metrics";
            start("dynamo-broker+" + broker.endpoint() + "/namespace.prod.");
            assertThat(broker.awaitSubscription()).isEqualTo(ascii("\u0001namespace.prod."));
            broker.send(event("namespace.test.component.backend.forward-pass-metrics", 1, 0, "forward-pass-metrics"));
            broker.send(event("namespace.prod.component.backend.kv-events", 2, 0, "kv-events"));
            broker.send(event(subject, 3, 0, "forward-pass-metrics"));

            await(() -> ring.size() == 1);
            assertThat(drain())
                    .containsExactly("dynamo-broker+" + broker.endpoint() + "/namespace.prod. worker-0 -1 from 3");
            assertThat(source.endpoints().get(0).counts().messagesIgnored()).isEqualTo(1);
        }
    }

    @Test
    void endpointsBeyondTheCapAreTurnedAwayAndLeaveTheirCountsWhenTheyGo() throws Exception {
        FrameIntake intake = new FrameIntake(ring, () -> {}, 1_024, System::nanoTime);
        ZmtpLimits limits = new ZmtpLimits(1_024, 2_048, 3);
        try (ZmtpReactor reactor = new ZmtpReactor("unused", ZmtpSettings.of(limits, 1, 1), () -> {})) {
            ZmtpEndpoints book = new ZmtpEndpoints(reactor, intake, System::nanoTime);
            TcpBindSource spec = new TcpBindSource(TcpBindSource.ANY, 9_000);
            Subscription subscription = Subscription.engine(new PoolSource<>(0, spec), SourceScheme.TCP);
            EndpointLedger server = new EndpointLedger(0, spec.toString(), spec.toString(), EndpointState.LISTENING);
            ZmtpEndpoint first = book.accept(subscription, "tcp://10.0.0.1:1", server);
            assertThat(first).isNotNull();
            for (int i = 1; i < ZmtpEndpoints.MOST; i++) {
                assertThat(book.accept(subscription, "tcp://10.0.0.2:" + i, server))
                        .isNotNull();
            }
            assertThat(book.accept(subscription, "tcp://10.0.0.3:1", server)).isNull();

            first.ledger().countReceived();
            first.closed();

            assertThat(book.accept(subscription, "tcp://10.0.0.3:1", server))
                    .as("there is room")
                    .isNotNull();
            assertThat(book.status()).hasSize(ZmtpEndpoints.MOST + 1);
            EndpointStatus former = book.status().get(ZmtpEndpoints.MOST);
            assertThat(former.state()).isEqualTo(EndpointState.FORMER);
            assertThat(former.counts().framesReceived()).isEqualTo(1);
        }
    }

    @Test
    void itStartsOnceAndEndsItsThread() throws Exception {
        start("tcp://127.0.0.1:1");
        assertThat(source.isReceiving()).isTrue();
        assertThatThrownBy(() -> source.start(ring, () -> {})).isInstanceOf(IllegalStateException.class);

        source.close();

        assertThat(source.isReceiving()).isFalse();
    }

    private static ZMQ.Socket relay(ZContext context, String address) {
        ZMQ.Socket socket = context.createSocket(SocketType.XPUB);
        socket.setReceiveTimeOut(20_000);
        socket.connect(address);
        return socket;
    }

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress("engines", new byte[] {127, 0, 0, (byte) last});
    }

    private static byte[] payload(String worker, long sequence) {
        return new ForwardPassEncoder(WireDialect.V1)
                .encode(new ForwardPassMetrics(
                        worker,
                        0,
                        sequence,
                        null,
                        0.02,
                        new ScheduledRequests(0, 0, 0, 0, 8, 8_000, 0),
                        QueuedRequests.NONE));
    }

    private static byte[] frame(String worker, long sequence) {
        return message(EMPTY, TestPublisher.sequenceBytes(sequence), payload(worker, sequence));
    }

    /** The four parts of an event; the envelope is written out by hand. */
    private static byte[][] event(String subject, long publisher, long sequence, String topic) {
        return event(subject, publisher, sequence, topic, payload("worker-" + sequence, sequence));
    }

    private static byte[][] event(String subject, long publisher, long sequence, String topic, byte[] payload) {
        byte[] envelope = join(
                new byte[] {(byte) 0x84},
                text("publisher_id"),
                number(publisher),
                text("sequence"),
                number(sequence),
                text("topic"),
                text(topic),
                text("payload"),
                ByteBuffer.allocate(3)
                        .put((byte) 0xc5)
                        .putShort((short) payload.length)
                        .array(),
                payload);
        byte[] prefix =
                ByteBuffer.allocate(5).put((byte) 1).putInt(envelope.length).array();
        return new byte[][] {
            ascii(subject),
            TestPublisher.sequenceBytes(publisher),
            TestPublisher.sequenceBytes(sequence),
            join(prefix, envelope)
        };
    }

    private static byte[] text(String text) {
        return join(new byte[] {(byte) 0xd9, (byte) text.length()}, ascii(text));
    }

    private static byte[] number(long value) {
        return join(new byte[] {(byte) 0xcf}, TestPublisher.sequenceBytes(value));
    }

    private final List<String> settings =
            new ArrayList<>(List.of("zeromq.resolveSeconds=1", "zeromq.reconnectMaxSeconds=0.25"));

    private void start(String sources) throws Exception {
        source = source(sources);
        source.start(ring, () -> {});
    }

    private ZmtpFrameSource source(String sources) throws Exception {
        ServiceConfig config = ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "chat", "PLANNER_POOLS_0_SOURCES", sources),
                        settings)
                .config();
        return new ZmtpFrameSource(config.zeromq(), config.pools(), new ServiceClock(), this::lookUp);
    }

    private List<InetAddress> lookUp(String host) throws UnknownHostException {
        List<InetAddress> addresses = names.get(host);
        if (addresses == null) {
            throw new UnknownHostException(host);
        }
        return addresses;
    }

    /** Everything in the ring: endpoint, worker and sequence, or the reason of a rejection. */
    private List<String> drain() {
        frames.clear();
        ring.drain(1_000, slot -> {
            FpmFrame frame = slot.frame();
            String what = slot.reject() == null
                    ? frame.workerId() + " " + frame.sequence()
                            + (frame.publisherId() < 0 ? "" : " from " + frame.publisherId())
                    : slot.reject().name();
            frames.add(frame.endpoint() + " " + what);
        });
        return List.copyOf(frames);
    }

    private EndpointState state(int index) {
        List<EndpointStatus> all = source.endpoints();
        return index < all.size() ? all.get(index).state() : EndpointState.RESOLVING;
    }

    private List<String> endpoints() {
        return source.endpoints().stream()
                .filter(each -> each.state() != EndpointState.FORMER)
                .map(EndpointStatus::endpoint)
                .sorted()
                .toList();
    }

    private long received(String endpoint) {
        return source.endpoints().stream()
                .filter(each -> each.endpoint().equals(endpoint))
                .mapToLong(each -> each.counts().framesReceived())
                .sum();
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
