/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventEnvelopeDecoderTest {
    private static final byte[] PAYLOAD = WirePayloads.bytes(WirePayloads.MIXED_SGLANG);
    private static final long PUBLISHER = 1_234_567_890_123_456L;

    private final EventEnvelopeDecoder decoder = new EventEnvelopeDecoder();
    private final EventEnvelope envelope = new EventEnvelope();

    private RejectReason decode(byte[] bytes) {
        return decoder.decode(bytes, 0, bytes.length, envelope);
    }

    private RejectReason decode(TestMsgpack bytes) {
        return decode(bytes.bytes());
    }

    private static TestMsgpack complete(int entries) {
        return new TestMsgpack()
                .map(entries)
                .str("publisher_id")
                .uint64(PUBLISHER)
                .str("sequence")
                .raw(17)
                .str("published_at")
                .uint64(1_767_225_600_123L)
                .str("topic")
                .str(EventEnvelope.FORWARD_PASS_TOPIC)
                .str("payload")
                .bin(PAYLOAD);
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

    @Test
    void readsEveryFieldAndPointsAtThePayload() {
        byte[] bytes = complete(5).bytes();
        byte[] shifted = new byte[bytes.length + 9];
        System.arraycopy(bytes, 0, shifted, 7, bytes.length);
        assertThat(decoder.decode(shifted, 7, bytes.length, envelope)).isNull();
        assertThat(envelope.publisherId()).isEqualTo(PUBLISHER);
        assertThat(envelope.sequence()).isEqualTo(17);
        assertThat(envelope.publishedAtMillis()).isEqualTo(1_767_225_600_123L);
        assertThat(envelope.topic()).isEqualTo("forward-pass-metrics");
        assertThat(envelope.carriesForwardPass()).isTrue();
        assertThat(envelope.carriesLoad()).isFalse();
        assertThat(envelope.buffer()).isSameAs(shifted);
        FpmFrame frame = new FpmFrame();
        assertThat(new FpmDecoder().decode(shifted, envelope.payloadOffset(), envelope.payloadLength(), frame))
                .isNull();
        assertThat(frame.workerId()).isEqualTo("worker-7");
        assertThat(frame.counterId()).isEqualTo(65536);
    }

    @Test
    void readsKeysInAnyOrderSkipsUnknownOnesAndAllowsNoTime() {
        TestMsgpack shuffled = new TestMsgpack()
                .map(5)
                .str("payload")
                .bin(PAYLOAD)
                .str("published_at_ns")
                .uint64(5)
                .str("topic")
                .str("kv_metrics")
                .str("sequence")
                .uint64(3)
                .str("publisher_id")
                .raw(9);
        assertThat(decode(shuffled)).isNull();
        assertThat(envelope.publishedAtMillis()).isEqualTo(EventEnvelope.NO_TIME);
        assertThat(envelope.carriesLoad()).isTrue();
        assertThat(envelope.carriesForwardPass()).isFalse();
    }

    @Test
    void refusesWhatIsNoEnvelope() {
        assertThat(decode(PAYLOAD)).isEqualTo(RejectReason.BAD_ENVELOPE);
        assertThat(decode(new TestMsgpack().map(0))).isEqualTo(RejectReason.BAD_ENVELOPE);
        assertThat(decode(new byte[0])).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(new TestMsgpack().raw(0x95, 1, 2, 3, 4, 5))).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(decode("{\"publisher_id\":1}".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(decode(complete(5).raw(0))).isEqualTo(RejectReason.TRAILING_BYTES);
        assertThat(decode(complete(6))).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(complete(6).str("topic").raw(7))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(complete(6).str("payload").str("text"))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(complete(6).str("sequence").raw(0xff))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(complete(6).str("sequence").float64(1))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(complete(6).str("publisher_id").uint64(-1))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decode(complete(6).str("topic").str("t".repeat(257)))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decode(complete(6).str("payload").raw(0xc6, 0x7f, 0xff, 0xff, 0xff)))
                .isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(new byte[EventEnvelopeDecoder.MAX_ENVELOPE_BYTES + 1]))
                .isEqualTo(RejectReason.TOO_LARGE);
        byte[] bytes = complete(5).bytes();
        for (int length = 0; length < bytes.length; length++) {
            assertThat(decoder.decode(bytes, 0, length, envelope))
                    .as("cut to %d", length)
                    .isEqualTo(RejectReason.TRUNCATED);
        }
    }

    @Test
    void refusesEachMissingField() {
        for (String missing : List.of("publisher_id", "sequence", "topic", "payload")) {
            TestMsgpack partial = new TestMsgpack().map(3);
            for (String key : List.of("publisher_id", "sequence", "topic", "payload")) {
                if (!key.equals(missing)) {
                    partial.str(key);
                    switch (key) {
                        case "topic" -> partial.str("forward-pass-metrics");
                        case "payload" -> partial.bin(PAYLOAD);
                        default -> partial.raw(1);
                    }
                }
            }
            assertThat(decode(partial)).as(missing).isEqualTo(RejectReason.BAD_ENVELOPE);
        }
    }

    @Test
    void checksThePrefix() {
        byte[] good = prefixed(complete(5).bytes());
        assertThat(decoder.decodePrefixed(good, 0, good.length, envelope)).isNull();
        assertThat(decoder.decodePrefixed(good, 0, good.length - 1, envelope)).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decoder.decodePrefixed(good, 0, 4, envelope)).isEqualTo(RejectReason.TRUNCATED);
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        assertThat(decoder.decodePrefixed(longer, 0, longer.length, envelope)).isEqualTo(RejectReason.TRAILING_BYTES);
        good[1] = -1;
        assertThat(decoder.decodePrefixed(good, 0, good.length, envelope)).isEqualTo(RejectReason.TRUNCATED);
        good[0] = 2;
        assertThat(decoder.decodePrefixed(good, 0, good.length, envelope)).isEqualTo(RejectReason.UNSUPPORTED_VERSION);
    }

    @Test
    void checksTheFourPartsOfAMessage() {
        byte[] body = prefixed(complete(5).bytes());
        byte[] topic = "forward-pass-metrics".getBytes(StandardCharsets.US_ASCII);
        assertThat(decoder.decodeMultipart(List.of(topic, u64(PUBLISHER), u64(17), body), envelope))
                .isNull();
        assertThat(decoder.decodeMultipart(List.of(topic, u64(17), body), envelope))
                .isEqualTo(RejectReason.BAD_MULTIPART);
        assertThat(decoder.decodeMultipart(List.of(topic, new byte[4], u64(17), body), envelope))
                .isEqualTo(RejectReason.BAD_MULTIPART);
        assertThat(decoder.decodeMultipart(List.of(topic, u64(PUBLISHER), new byte[9], body), envelope))
                .isEqualTo(RejectReason.BAD_SEQUENCE);
        assertThat(decoder.decodeMultipart(List.of(topic, u64(PUBLISHER), u64(18), body), envelope))
                .isEqualTo(RejectReason.BAD_ENVELOPE);
        assertThat(decoder.decodeMultipart(List.of(topic, u64(1), u64(17), body), envelope))
                .isEqualTo(RejectReason.BAD_ENVELOPE);
    }

    @Test
    void allocatesNothing() {
        byte[] body = prefixed(complete(5).bytes());
        byte[] publisher = u64(PUBLISHER);
        byte[] sequence = u64(17);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int accepted = decodeOften(publisher, sequence, body, 20_000);
        long before = threads.getThreadAllocatedBytes(thread);
        accepted += decodeOften(publisher, sequence, body, 100_000);
        assertThat((threads.getThreadAllocatedBytes(thread) - before) / 100_000)
                .as("bytes per event")
                .isZero();
        assertThat(accepted).isEqualTo(120_000);
    }

    private int decodeOften(byte[] publisher, byte[] sequence, byte[] body, int times) {
        int accepted = 0;
        for (int i = 0; i < times; i++) {
            RejectReason reason = decoder.decodeMultipart(publisher, sequence, body, envelope);
            accepted += reason == null && envelope.carriesForwardPass() ? 1 : 0;
        }
        return accepted;
    }
}
