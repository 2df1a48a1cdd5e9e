/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.fuzz;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.core.fpm.EventEnvelopeDecoder;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.service.config.ConfigException;
import io.fpmplanner.service.config.ConfigLoader;
import io.fpmplanner.service.externalmetrics.SelectorFuzz;
import io.fpmplanner.service.recording.FrameLogWriter;
import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import io.fpmplanner.service.state.StateFuzz;
import io.fpmplanner.service.zmtp.ZmtpFuzz;
import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.WireDialect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Something that reads what others wrote: well-formed inputs to start from, and what is done with one.
 *
 * @param name for people
 * @param weight share of the inputs of a run, since some cost a thousand times as much as others
 * @param seeds well-formed inputs
 * @param reader must neither throw nor hang
 */
record FuzzTarget(String name, int weight, List<byte[]> seeds, Reader reader) {
    /** Reads one input. */
    interface Reader {
        void read(byte[] data) throws Exception;
    }

    /** The one of that name or directory. */
    static FuzzTarget named(String name) throws IOException {
        return all().stream()
                .filter(target ->
                        target.name().equals(name) || target.directory().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target " + name));
    }

    /** Name of its directory of inputs. */
    String directory() {
        return name.replace(' ', '-');
    }

    /** The seeds, and what coverage-guided runs found to reach further, from the directory of tests' resources. */
    List<byte[]> corpus() throws IOException {
        List<byte[]> inputs = new ArrayList<>(seeds);
        Path directory = CORPUS.resolve(directory());
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.sorted().toList()) {
                    inputs.add(Files.readAllBytes(file));
                }
            }
        }
        return inputs;
    }

    /** Of the module that the tests run in. */
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");

    static List<FuzzTarget> all() throws IOException {
        FpmDecoder decoder = new FpmDecoder(FpmDecoder.MAX_PAYLOAD_BYTES);
        FpmFrame frame = new FpmFrame();
        EventEnvelopeDecoder envelopes = new EventEnvelopeDecoder();
        EventEnvelope envelope = new EventEnvelope();
        KvDecoder kv = new KvDecoder();
        return List.of(
                new FuzzTarget("fpm payload", 300, payloads(), data -> {
                    frame.arrival("tcp://a:1", 0, 1);
                    decoder.decode(data, 0, data.length, frame);
                }),
                new FuzzTarget(
                        "event envelope", 200, hex(ENVELOPE), data -> envelopes.decode(data, 0, data.length, envelope)),
                new FuzzTarget(
                        "kv pickle and msgpack",
                        200,
                        hex(KV_ARRAY, KV_CLASS, KV_STRUCT),
                        data -> kv.decodePushed(data, 0, data.length)),
                new FuzzTarget("zmtp stream", 100, ZmtpFuzz.seeds(), ZmtpFuzz::feed),
                new FuzzTarget("label selector", 100, SelectorFuzz.selectors(), SelectorFuzz::selector),
                new FuzzTarget("quantity", 90, SelectorFuzz.quantities(), SelectorFuzz::quantity),
                new FuzzTarget("saved state", 4, StateFuzz.seeds(), StateFuzz::read),
                new FuzzTarget(
                        "configuration", 3, List.of(CONFIG.getBytes(StandardCharsets.UTF_8)), FuzzTarget::config),
                new FuzzTarget("recording", 3, recordings(), FuzzTarget::recording));
    }

    /* As publishers of an event plane, and SGLang in each of its three ways, write them; in hexadecimal. */
    private static final String ENVELOPE =
            "010000006185ac7075626c69736865725f6964cf0000070000000000a873657175656e636511ac7075626c6973"
                    + "6865645f6174cf0000019b76daa87ba5746f706963b4666f72776172642d706173732d6d657472696373a77061"
                    + "796c6f6164c40568656c6c6f";
    private static final String KV_ARRAY =
            "99a94b764d6574726963730ccd0100ce0001e240ce0007a12003cb3fcf9acffa7eb6bfcb3fe000000000000000";
    private static final String KV_CLASS =
            "8004950d010000000000008c1d73676c616e672e7372742e6d616e61676572732e7363686564756c6572948c09"
                    + "4b764d6574726963739493942981947d94288c14726571756573745f6163746976655f736c6f7473944b0c8c13"
                    + "726571756573745f746f74616c5f736c6f7473944d00018c106b765f6163746976655f626c6f636b73944a40e2"
                    + "01008c0f6b765f746f74616c5f626c6f636b73944a20a107008c146e756d5f72657175657374735f7761697469"
                    + "6e67944b038c146770755f63616368655f75736167655f7065726394473fcf9acffa7eb6bf8c196770755f7072"
                    + "656669785f63616368655f6869745f7261746594473fe00000000000008c12646174615f706172616c6c656c5f"
                    + "72616e6b944b0075622e";
    private static final String KV_STRUCT =
            "80059549010000000000008c0e6d7367737065632e5f7574696c73948c0772656275696c649493948c3c73676c"
                    + "616e672e7372742e6d616e61676572732e7363686564756c65725f636f6d706f6e656e74732e6b765f6576656e"
                    + "74735f7075626c6973686572948c094b764d6574726963739493947d94288c14726571756573745f6163746976"
                    + "655f736c6f7473944b0c8c13726571756573745f746f74616c5f736c6f7473944d00018c106b765f6163746976"
                    + "655f626c6f636b73944a40e201008c0f6b765f746f74616c5f626c6f636b73944a20a107008c146e756d5f7265"
                    + "7175657374735f77616974696e67944b038c146770755f63616368655f75736167655f7065726394473fcf9acf"
                    + "fa7eb6bf8c196770755f7072656669785f63616368655f6869745f7261746594473fe00000000000008c126461"
                    + "74615f706172616c6c656c5f72616e6b944b0075869452942e";
    private static final String CONFIG = """
        http: {host: 127.0.0.1, port: 8080, allowedAddresses: [10.0.0.0/8]}
        tickSeconds: 1
        pools:
          - id: chat
            role: aggregated
            sources: ["tcp://vllm-0:20380-20387", "http"]
            slo: {ttftSeconds: 1, itlSeconds: 0.05, attainment: 0.95}
            engine: {maxBatchedTokens: 8192, kvCapacityTokens: 100000}
        """;

    private static List<byte[]> payloads() {
        ForwardPassMetrics step = new ForwardPassMetrics(
                "worker-7", 3, 41, null, 0.0123, new ScheduledRequests(2, 12, 4.0, 5, 1, 11, 0.5), QueuedRequests.NONE);
        return List.of(
                new ForwardPassEncoder(WireDialect.V1).encode(step),
                new ForwardPassEncoder(WireDialect.V1).encode(ForwardPassMetrics.heartbeat("w", 0)));
    }

    private static List<byte[]> hex(String... texts) {
        return List.of(texts).stream()
                .map(text -> HexFormat.of().parseHex(text))
                .toList();
    }

    private static final Path SCRATCH = scratch();

    private static Path scratch() {
        try {
            Path file = Files.createTempFile("fuzz", ".bin");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void config(byte[] data) throws IOException {
        Files.write(SCRATCH, data);
        try {
            ConfigLoader.load(Optional.of(SCRATCH), Map.of(), List.of());
        } catch (ConfigException refused) {
            if (refused.problems().isEmpty()) {
                throw new AssertionError("refused without a reason", refused);
            }
        }
    }

    private static List<byte[]> recordings() throws IOException {
        Path log = Files.createTempDirectory("fuzz").resolve("seed.fpmlog");
        byte[] payload = payloads().get(0);
        try (FrameLogWriter writer = FrameLogWriter.create(log, 1 << 20, 1)) {
            for (int i = 0; i < 5; i++) {
                writer.write(new FpmFrame().arrival("tcp://a:1", i, 1_000L * i), payload, 0, payload.length);
            }
        }
        byte[] frames = Files.readAllBytes(log);
        Files.delete(log);
        Files.delete(log.getParent());
        return List.of(
                frames,
                "{\"worker_id\":\"w\",\"dp_rank\":0,\"counter_id\":1,\"wall_time\":0.01}\n"
                        .getBytes(StandardCharsets.UTF_8),
                "counter_id,wall_time_s,worker_id\n1,0.02,a\n2,0.03,a\n".getBytes(StandardCharsets.UTF_8));
    }

    private static void recording(byte[] data) throws IOException {
        Files.write(SCRATCH, data);
        try (Recording recording = Recording.open(SCRATCH)) {
            FpmFrame frame = new FpmFrame();
            while (recording.next(frame)) {
                recording.payload();
            }
        } catch (RecordingException refused) {
            if (refused.getMessage() == null) {
                throw new AssertionError("refused without a reason", refused);
            }
        }
    }
}
