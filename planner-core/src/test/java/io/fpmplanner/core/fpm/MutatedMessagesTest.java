/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.core.kv.KvDecoding;
import io.fpmplanner.core.pool.EngineLimits;
import io.fpmplanner.core.pool.LivenessSettings;
import io.fpmplanner.core.pool.Pool;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.RankLimits;
import io.fpmplanner.core.pool.Role;
import io.fpmplanner.core.pool.ScalingSettings;
import io.fpmplanner.core.pool.SloTarget;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mutated messages of every form: each is accepted or refused with a reason, none throws, none costs much memory, and a
 * pool that is fed what was accepted keeps its caps.
 *
 * <p>{@code -Dfpm.fuzz.messages=1000000} sets how many in all, {@code -Dfpm.fuzz.seed} the seed; counts are printed.
 */
class MutatedMessagesTest {
    private static final int MESSAGES = Integer.getInteger("fpm.fuzz.messages", 200_000);
    private static final long SEED = Long.getLong("fpm.fuzz.seed", 20_261_129L);

    /** More than reading any message here may cost: each has 5 kB at most, and text is held in a few forms for a moment. */
    private static final long MOST_BYTES = 256 * 1024;

    private static final int MAX_RANKS = 500;
    private static final HexFormat HEX = HexFormat.of();

    /** The forms of message, how many of a hundred have each, and whether they hold frames. */
    enum Form {
        PAYLOAD(45, true),
        MULTIPART(10, true),
        ENVELOPE(15, true),
        EVENT_MULTIPART(10, true),
        KV_ARRAY(5, false),
        KV_PICKLE(10, false),
        ACTIVE_LOAD(5, false);

        final int percent;
        final boolean frames;

        Form(int percent, boolean frames) {
            this.percent = percent;
            this.frames = frames;
        }
    }

    private final FpmDecoder decoder = new FpmDecoder();
    private final EventEnvelopeDecoder envelopes = new EventEnvelopeDecoder();
    private final EventEnvelope envelope = new EventEnvelope();
    private final KvDecoder kv = new KvDecoder();
    private final FpmFrame frame = new FpmFrame();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final Pool pool = new Pool(new PoolSettings(
                    "fuzz",
                    "",
                    Role.AGGREGATED,
                    new SloTarget(1, 0.05, 0.95),
                    EngineLimits.defaults(),
                    new ScalingSettings(1, 8, 0.8, 60, 20),
                    LivenessSettings.defaults())
            .withRanks(new RankLimits(MAX_RANKS, MAX_RANKS)));
    private long nowNanos = 1_700_000_000_000_000_000L;

    @ParameterizedTest
    @EnumSource(Form.class)
    void everyMutationIsAcceptedOrRefusedWithAReason(Form form) {
        Mutation mutation = new Mutation(SEED + form.name().hashCode());
        int messages = (int) ((long) MESSAGES * form.percent / 100);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long most = 0;
        List<List<byte[]>> seeds = seeds(form);
        for (int i = 0; i < messages; i++) {
            List<byte[]> seed = seeds.get(mutation.below(seeds.size()));
            List<byte[]> message = seed.size() > 1 ? mutation.of(seed) : List.of(mutation.of(seed.get(0)));
            long before = threads.getThreadAllocatedBytes(thread);
            RejectReason reason = decode(form, message);
            most = Math.max(most, threads.getThreadAllocatedBytes(thread) - before);
            feed(form, reason);
            outcomes.merge(reason == null ? "accepted" : reason.name(), 1, Integer::sum);
            if (i % 1000 == 0) {
                pool.tick(nowNanos);
            }
        }
        System.out.printf("%-15s %,9d messages, at most %,d bytes for one: %s%n", form, messages, most, outcomes);
        assertThat(outcomes.values().stream().mapToInt(count -> count).sum()).isEqualTo(messages);
        assertThat(outcomes.get("accepted")).isGreaterThan(messages / 200);
        assertThat(outcomes).hasSizeGreaterThan(3);
        assertThat(most).isLessThan(MOST_BYTES);
        assertThat(pool.tick(nowNanos).workers().stream()
                        .mapToInt(worker -> worker.ranks().size())
                        .sum())
                .isLessThanOrEqualTo(MAX_RANKS);
    }

    @Test
    void everyReasonOfThePayloadIsReached() {
        Mutation mutation = new Mutation(SEED);
        Map<RejectReason, Integer> refused = new EnumMap<>(RejectReason.class);
        List<List<byte[]>> seeds = seeds(Form.PAYLOAD);
        for (int i = 0; i < 200_000; i++) {
            byte[] payload = mutation.of(seeds.get(mutation.below(seeds.size())).get(0));
            RejectReason reason = decoder.decode(payload, 0, payload.length, frame);
            if (reason != null) {
                refused.merge(reason, 1, Integer::sum);
            }
        }
        assertThat(refused)
                .containsKeys(
                        RejectReason.NOT_A_MAP,
                        RejectReason.TRUNCATED,
                        RejectReason.TRAILING_BYTES,
                        RejectReason.UNSUPPORTED_VERSION,
                        RejectReason.WRONG_TYPE,
                        RejectReason.NEGATIVE,
                        RejectReason.NOT_FINITE,
                        RejectReason.TOO_LARGE,
                        RejectReason.TOO_DEEP,
                        RejectReason.MALFORMED);
    }

    private RejectReason decode(Form form, List<byte[]> message) {
        byte[] first = message.isEmpty() ? new byte[0] : message.get(0);
        nowNanos += 1_000_000;
        frame.arrival("tcp://fuzz:1", FpmFrame.NO_SEQUENCE, nowNanos);
        return switch (form) {
            case PAYLOAD -> decoder.decode(first, 0, first.length, frame);
            case MULTIPART -> decoder.decodeMultipart(message, frame);
            case ENVELOPE -> decodeEvent(envelopes.decode(first, 0, first.length, envelope));
            case EVENT_MULTIPART -> decodeEvent(envelopes.decodeMultipart(message, envelope));
            case KV_ARRAY, KV_PICKLE -> reason(kv.decodePushed(first, 0, first.length));
            case ACTIVE_LOAD -> reason(kv.decodeActiveLoad(first, 0, first.length));
        };
    }

    private RejectReason decodeEvent(RejectReason reason) {
        if (reason != null) {
            return reason;
        }
        frame.publisherId(envelope.publisherId());
        return decoder.decode(envelope.buffer(), envelope.payloadOffset(), envelope.payloadLength(), frame);
    }

    private void feed(Form form, RejectReason reason) {
        if (reason != null) {
            pool.onReject("tcp://fuzz:1", reason);
        } else if (form.frames) {
            assertSane();
            pool.onFrame(frame);
        }
    }

    private static RejectReason reason(KvDecoding decoding) {
        return decoding instanceof KvDecoding.Rejected rejected ? rejected.reason() : null;
    }

    private void assertSane() {
        FrameNumbers numbers = frame.numbers();
        boolean sane = frame.dpRank() >= 0 && frame.version() >= 0;
        for (int i = 0; i < FpmFields.COUNTS; i++) {
            sane &= numbers.count(i) >= 0;
        }
        for (int i = 0; i < FpmFields.REALS; i++) {
            sane &= numbers.real(i) >= 0 && Double.isFinite(numbers.real(i));
        }
        if (!sane) {
            throw new AssertionError("accepted " + frame.view());
        }
    }

    private static List<List<byte[]>> seeds(Form form) {
        List<byte[]> payloads =
                WirePayloads.ALL.stream().map(WirePayloads::bytes).toList();
        return switch (form) {
            case PAYLOAD -> payloads.stream().map(List::of).toList();
            case MULTIPART ->
                payloads.stream()
                        .map(payload -> List.of(new byte[0], u64(7), payload))
                        .toList();
            case ENVELOPE ->
                payloads.stream().map(payload -> List.of(event(payload))).toList();
            case EVENT_MULTIPART ->
                payloads.stream()
                        .map(payload -> List.of(
                                EventEnvelope.FORWARD_PASS_TOPIC.getBytes(StandardCharsets.US_ASCII),
                                u64(99),
                                u64(17),
                                prefixed(event(payload))))
                        .toList();
            case KV_ARRAY ->
                List.of(List.of(HEX.parseHex(WirePayloads.KV_METRICS)), List.of(HEX.parseHex(WirePayloads.LOAD_STAT)));
            case KV_PICKLE ->
                List.of(
                        List.of(HEX.parseHex(WirePayloads.KV_METRICS_PICKLED_CLASS)),
                        List.of(HEX.parseHex(WirePayloads.KV_METRICS_PICKLED_STRUCT)));
            case ACTIVE_LOAD -> List.of(List.of(HEX.parseHex(WirePayloads.ACTIVE_LOAD)));
        };
    }

    private static byte[] event(byte[] payload) {
        return new TestMsgpack()
                .map(5)
                .str("publisher_id")
                .uint64(99)
                .str("sequence")
                .raw(17)
                .str("published_at")
                .uint64(1_767_225_600_123L)
                .str("topic")
                .str(EventEnvelope.FORWARD_PASS_TOPIC)
                .str("payload")
                .bin(payload)
                .bytes();
    }

    private static byte[] prefixed(byte[] body) {
        return ByteBuffer.allocate(EventEnvelopeDecoder.PREFIX_BYTES + body.length)
                .put((byte) 1)
                .putInt(body.length)
                .put(body)
                .array();
    }

    private static byte[] u64(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
