/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.config.TcpSource;
import io.fpmplanner.service.zmtp.Wire;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.WireDialect;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * What a source costs with many endpoints: CPU time of its threads alone, file descriptors, lost frames. A program, not a
 * test; after {@code mvn -DskipTests verify} run it as
 *
 * <pre>
 * java -cp planner-service/target/test-classes:planner-service/target/planner.jar \
 *   io.fpmplanner.service.source.SourceLoad KIND ENDPOINTS FRAMES_PER_SECOND_EACH SECONDS [selector|jeromq]
 * </pre>
 *
 * KIND is {@code tcp}, {@code ipc} or {@code dead} (ports where nobody listens). Publishers run in the same process on a
 * thread of their own, which is not counted. CPU time is per thread, so that it means something on a busy machine too.
 */
public final class SourceLoad {
    private static final int RING_FRAMES = 1 << 17;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String kind;
    private final int endpoints;
    private final double rate;
    private final double seconds;
    private final String transport;
    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private final List<SocketChannel> peers = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private long received;
    private long lost;

    private SourceLoad(String[] arguments) {
        kind = arguments[0];
        endpoints = Integer.parseInt(arguments[1]);
        rate = Double.parseDouble(arguments[2]);
        seconds = Double.parseDouble(arguments[3]);
        transport = arguments.length > 4 ? arguments[4] : "selector";
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 4) {
            System.err.println(
                    "usage: SourceLoad tcp|ipc|dead ENDPOINTS FRAMES_PER_SECOND_EACH SECONDS [selector|jeromq]");
            System.exit(2);
        }
        new SourceLoad(arguments).run();
        System.exit(0);
    }

    private void run() throws Exception {
        Path directory = Files.createTempDirectory("fpm");
        String sources = listen(directory);
        ServiceConfig config = ConfigLoader.load(
                        Optional.empty(),
                        Map.of("PLANNER_POOLS_0_ID", "load", "PLANNER_POOLS_0_SOURCES", sources),
                        List.of("zeromq.transport=" + transport))
                .config();
        FrameSource source = transport.equals("jeromq")
                ? new ZmqFrameSource(config.zeromq(), PoolSource.of(config.pools(), TcpSource.class), System::nanoTime)
                : new ZmtpFrameSource(config.zeromq(), config.pools(), System::nanoTime);
        try (source) {
            Set<Long> before = threads();
            long descriptors = descriptors();
            long startNanos = System.nanoTime();
            FrameRing ring = new FrameRing(RING_FRAMES);
            source.start(ring, () -> {});
            Thread publisher = new Thread(() -> publish(), "publisher");
            accept(source);
            double connectSeconds = (System.nanoTime() - startNanos) / 1e9;
            long opened = descriptors() - descriptors - peers.size();
            publisher.setDaemon(true);
            publisher.start();
            measure(ring, before);
            long fromNanos = System.nanoTime();
            long fromCpu = cpuNanos(before);
            received = 0;
            drainFor(ring, seconds);
            double elapsed = (System.nanoTime() - fromNanos) / 1e9;
            double cores = (cpuNanos(before) - fromCpu) / 1e9 / elapsed;
            System.out.printf(
                    Locale.ROOT,
                    "%s %s: %d endpoints, connected in %.2f s, %d descriptors; %.0f frames/s, %d lost; %.3f cores,"
                            + " %.2f us a frame%n",
                    transport,
                    kind,
                    endpoints,
                    connectSeconds,
                    opened,
                    received / elapsed,
                    lost,
                    cores,
                    received == 0 ? 0 : cores * elapsed * 1e6 / received);
        }
    }

    /** Warms up. */
    private void measure(FrameRing ring, Set<Long> before) {
        drainFor(ring, Math.min(5, seconds));
        if (cpuNanos(before) < 0) {
            throw new IllegalStateException("this JVM does not measure the CPU time of threads");
        }
    }

    private String listen(Path directory) throws IOException {
        if (kind.equals("dead")) {
            return "tcp://127.0.0.1:1-" + endpoints;
        }
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < endpoints; i++) {
            ServerSocketChannel server;
            if (kind.equals("ipc")) {
                server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                server.bind(UnixDomainSocketAddress.of(directory.resolve("fpm." + i)));
            } else {
                server = ServerSocketChannel.open();
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                entries.add("tcp:/" + server.getLocalAddress());
            }
            servers.add(server);
        }
        return kind.equals("ipc") ? "ipc://" + directory + "/fpm.*" : String.join(",", entries);
    }

    /** Takes connections until all endpoints are connected; a stalled handshake is made anew by the other side. */
    private void accept(FrameSource source) throws IOException {
        byte[] hello = Wire.join(Wire.greeting(3, 1, "NULL"), Wire.ready("PUB"));
        for (ServerSocketChannel server : servers) {
            SocketChannel peer = server.accept();
            peer.write(ByteBuffer.wrap(hello));
            peer.configureBlocking(false);
            peers.add(peer);
        }
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!kind.equals("dead") && connected(source) < endpoints && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000);
            for (int i = 0; i < servers.size(); i++) {
                servers.get(i).configureBlocking(false);
                SocketChannel again = servers.get(i).accept();
                if (again != null) {
                    peers.get(i).close();
                    again.write(ByteBuffer.wrap(hello));
                    again.configureBlocking(false);
                    peers.set(i, again);
                }
            }
        }
    }

    private static long connected(FrameSource source) {
        return source.endpoints().stream()
                .filter(each -> each.state() == EndpointState.CONNECTED)
                .count();
    }

    private void publish() {
        ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        long startNanos = System.nanoTime();
        for (long sequence = 0; rate > 0; sequence++) {
            for (int i = 0; i < peers.size(); i++) {
                // Endpoints take turns evenly within a period.
                double due = (sequence + (double) i / peers.size()) / rate;
                while (System.nanoTime() - startNanos < due * 1e9) {
                    LockSupport.parkNanos(100_000);
                }
                byte[] payload = encoder.encode(new ForwardPassMetrics(
                        "worker-with-a-usual-name-" + i,
                        0,
                        sequence,
                        null,
                        0.02,
                        new ScheduledRequests(0, 0, 0, 0, 64, 64_000 + sequence, 0),
                        QueuedRequests.NONE));
                byte[] number =
                        ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
                try {
                    peers.get(i).write(ByteBuffer.wrap(Wire.message(new byte[0], number, payload)));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private void drainFor(FrameRing ring, double duration) {
        long deadline = System.nanoTime() + (long) (duration * 1e9);
        while (System.nanoTime() < deadline) {
            if (ring.drain(RING_FRAMES, this::take) == 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void take(FrameRing.Slot slot) {
        FpmFrame frame = slot.frame();
        received++;
        Long previous = sequences.put(frame.endpoint(), frame.sequence());
        lost += previous == null ? 0 : frame.sequence() - previous - 1;
    }

    private static Set<Long> threads() {
        Set<Long> ids = new HashSet<>();
        for (long id : THREADS.getAllThreadIds()) {
            ids.add(id);
        }
        return ids;
    }

    /** CPU time of the threads that the source started. */
    private static long cpuNanos(Set<Long> before) {
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            var info = THREADS.getThreadInfo(id);
            if (!before.contains(id) && info != null && !info.getThreadName().equals("publisher")) {
                sum += THREADS.getThreadCpuTime(id);
            }
        }
        return sum;
    }

    private static long descriptors() {
        String[] open = Path.of("/proc/self/fd").toFile().list();
        return open == null ? 0 : open.length;
    }
}
