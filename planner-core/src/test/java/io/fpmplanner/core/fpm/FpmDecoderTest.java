/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FpmDecoderTest {
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();

    private RejectReason decode(byte[] payload) {
        return decoder.decode(payload, 0, payload.length, frame);
    }

    private RejectReason decode(TestMsgpack payload) {
        return decode(payload.bytes());
    }

    private void accept(String hex) {
        assertThat(decode(WirePayloads.bytes(hex))).isNull();
    }

    @Test
    void readsHeartbeat() {
        accept(WirePayloads.IDLE_HEARTBEAT);
        assertThat(frame.version()).isEqualTo(1);
        assertThat(frame.workerId()).isEqualTo("8465209922961459");
        assertThat(frame.counterId()).isEqualTo(7);
        assertThat(frame.isHeartbeat()).isTrue();
        assertThat(frame.hasWork()).isFalse();
    }

    @Test
    void readsMixedStep() {
        accept(WirePayloads.MIXED_SGLANG);
        assertThat(frame.view())
                .isEqualTo(new FrameView(
                        1,
                        "worker-7",
                        3,
                        65536,
                        "",
                        4.5,
                        new FrameView.Scheduled(2, 12, OptionalDouble.of(4), 5, 1, 11, OptionalDouble.of(0)),
                        new FrameView.Queued(1, 6, OptionalDouble.of(0), 1, 6, OptionalDouble.of(0)),
                        Optional.empty()));
        assertThat(frame.isHeartbeat()).isFalse();
        assertThat(frame.hasWork()).isTrue();
    }

    @Test
    void readsDecodeStepWithWaitingDecodes() {
        accept(WirePayloads.DECODE_DISAGGREGATED);
        assertThat(frame.dpRank()).isEqualTo(1);
        assertThat(frame.wallTimeSeconds()).isEqualTo(0.0123);
        assertThat(frame.scheduledDecodeRequests()).isEqualTo(256);
        assertThat(frame.scheduledDecodeKvTokens()).isEqualTo(1 << 20);
        assertThat(frame.scheduledDecodeKvVariance()).isEqualTo(1234567.890625);
        assertThat(frame.queuedDecodeRequests()).isEqualTo(4);
        assertThat(frame.queuedDecodeKvTokens()).isEqualTo(32768);
        assertThat(frame.queuedDecodeKvVariance()).isEqualTo(0.25);
    }

    @Test
    void readsVersion0WithDefaults() {
        accept(WirePayloads.VERSION_0);
        assertThat(frame.version()).isEqualTo(1);
        assertThat(frame.workerId()).isEqualTo("abc");
        assertThat(frame.scheduledPrefillRequests()).isEqualTo(10);
        assertThat(frame.scheduledPrefillTokens()).isEqualTo(2048);
        assertThat(frame.scheduledDecodeRequests()).isEqualTo(64);
        assertThat(frame.scheduledDecodeKvTokens()).isEqualTo(16384);
        assertThat(frame.streamPosition()).isEqualTo(FpmFrame.NO_SEQUENCE);
    }

    @Test
    void readsTimingScopeBetweenTheOtherKeys() {
        accept(WirePayloads.VLLM_TIMING_SCOPE);
        assertThat(frame.timingScope()).isEqualTo("model_step_cuda");
        assertThat(frame.wallTimeSeconds()).isEqualTo(0.004);
        assertThat(frame.queuedDecodeKvTokens()).isEqualTo(128);
    }

    @Test
    void readsIntegersWhereRealNumbersBelong() {
        accept(WirePayloads.INT_IN_FLOAT_FIELDS);
        assertThat(frame.scheduledPrefillLengthVariance()).isEqualTo(4.0);
        assertThat(frame.wallTimeSeconds()).isEqualTo(0.0);
    }

    @Test
    void readsNumbersFrom1() {
        accept(WirePayloads.TENSORRT_LLM);
        assertThat(frame.counterId()).isEqualTo(1);
        assertThat(frame.streamPosition()).isEqualTo(1);
        assertThat(frame.scheduledDecodeKvTokens()).isEqualTo(9000);
    }

    @Test
    void readsKeysInAnyOrderAndSkipsUnknownOnes() {
        TestMsgpack payload = new TestMsgpack()
                .map(5)
                .str("queued_requests")
                .map(1)
                .str("sum_prefill_tokens")
                .raw(9)
                .str("decode_metrics")
                .raw(0x82, 0xa1, 'a', 0x93, 0xc0, 0xc3, 0xc4, 0x02, 1, 2, 0xa1, 'b', 0xd6, 5, 1, 2, 3, 4)
                .str("wall_time")
                .float32(0.5f)
                .str("worker_id")
                .str("w")
                .str("version")
                .raw(0);
        assertThat(decode(payload)).isNull();
        assertThat(frame.queuedPrefillTokens()).isEqualTo(9);
        assertThat(frame.wallTimeSeconds()).isEqualTo(0.5);
        assertThat(frame.version()).isZero();
    }

    @Test
    void theLastOfDuplicateKeysWins() {
        TestMsgpack payload = new TestMsgpack()
                .map(4)
                .str("dp_rank")
                .raw(1)
                .str("scheduled_requests")
                .map(1)
                .str("num_prefill_requests")
                .raw(5)
                .str("dp_rank")
                .raw(2)
                .str("scheduled_requests")
                .map(1)
                .str("num_decode_requests")
                .raw(3);
        assertThat(decode(payload)).isNull();
        assertThat(frame.dpRank()).isEqualTo(2);
        assertThat(frame.scheduledPrefillRequests()).as("of the map that lost").isZero();
        assertThat(frame.scheduledDecodeRequests()).isEqualTo(3);
    }

    @Test
    void nothingOfThePreviousFrameRemains() {
        accept(WirePayloads.DECODE_DISAGGREGATED);
        accept(WirePayloads.VLLM_TIMING_SCOPE);
        assertThat(decode(new TestMsgpack().map(1).str("worker_id").str(""))).isNull();
        assertThat(frame.view())
                .isEqualTo(new FrameView(
                        1,
                        "",
                        0,
                        0,
                        "",
                        0,
                        new FrameView.Scheduled(0, 0, OptionalDouble.empty(), 0, 0, 0, OptionalDouble.empty()),
                        new FrameView.Queued(0, 0, OptionalDouble.empty(), 0, 0, OptionalDouble.empty()),
                        Optional.empty()));
    }

    @Test
    void readsThePrefixCachedFieldsPlannedForTensorRtLlm() {
        TestMsgpack payload = new TestMsgpack()
                .map(2)
                .str("wall_time")
                .float64(0.02)
                .str("scheduled_requests")
                .map(6)
                .str("num_prefill_requests")
                .raw(2)
                .str("sum_prefill_tokens")
                .raw(100)
                .str("sum_prefill_tokens_prefix_cached")
                .raw(40)
                .str("var_non_prefix_cached_prefill_length")
                .float64(2.25)
                .str("sum_decode_kv_tokens_prefix_cached")
                .raw(7)
                .str("var_decode_kv_tokens_prefix_cached")
                .raw(3);
        assertThat(decode(payload)).isNull();
        assertThat(frame.scheduledPrefillKvTokens()).isEqualTo(40);
        FrameView.PrefixCached cached = frame.view().prefixCached().orElseThrow();
        assertThat(cached.prefillTokens()).hasValue(40);
        assertThat(cached.uncachedPrefillLengthVariance()).hasValue(2.25);
        assertThat(cached.decodeKvTokens()).hasValue(7);
        assertThat(cached.decodeKvVariance()).hasValue(3);
        assertThat(frame.view().scheduled().prefillLengthVariance()).isEmpty();
        accept(WirePayloads.MIXED_SGLANG);
        assertThat(frame.view().prefixCached()).isEmpty();
    }

    @Test
    void whereBothNamesAreGivenTheKvTokensHoldThePrefixCachedOnes() {
        for (int kvTokens : new int[] {90, 10}) {
            TestMsgpack payload = new TestMsgpack()
                    .map(1)
                    .str("scheduled_requests")
                    .map(2)
                    .str("sum_prefill_kv_tokens")
                    .raw(kvTokens)
                    .str("sum_prefill_tokens_prefix_cached")
                    .raw(40);
            assertThat(decode(payload)).isNull();
            assertThat(frame.scheduledPrefillKvTokens()).isEqualTo(Math.max(kvTokens, 40));
        }
        assertThat(decode(new TestMsgpack()
                        .map(1)
                        .str("scheduled_requests")
                        .map(1)
                        .str("sum_prefill_tokens_prefix_cached")
                        .float64(1)))
                .isEqualTo(RejectReason.WRONG_TYPE);
    }

    @Test
    void theFieldThatIsRefusedIsNamed() {
        assertThat(decode(field("wall_time").str("1.0"))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decoder.refusedField()).isEqualTo("wall_time");
        assertThat(decode(field("scheduled_requests")
                        .map(1)
                        .str("num_decode_requests")
                        .raw(0xc3)))
                .isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decoder.refusedField()).isEqualTo("scheduled_requests.num_decode_requests");
        assertThat(decode(field("queued_requests").raw(5))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decoder.refusedField()).isEqualTo("queued_requests");
        assertThat(decode(field("version").raw(7))).isEqualTo(RejectReason.UNSUPPORTED_VERSION);
        assertThat(decoder.refusedField()).isEqualTo("version");
        assertThat(decoder.decode(
                        new byte[FpmDecoder.MAX_PAYLOAD_BYTES + 1], 0, FpmDecoder.MAX_PAYLOAD_BYTES + 1, frame))
                .isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decoder.refusedField()).isEmpty();
        assertThat(decode(new TestMsgpack().map(1).raw(5).raw(5))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decoder.refusedField()).isEmpty();
        assertThat(decode(field("wall_time").float64(1).raw(5))).isEqualTo(RejectReason.TRAILING_BYTES);
        assertThat(decoder.refusedField()).isEmpty();
        assertThat(decode(new TestMsgpack().str("no map"))).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(decoder.refusedField()).isEmpty();
    }

    @Test
    void worksAtAnOffset() {
        byte[] payload = WirePayloads.bytes(WirePayloads.MIXED_SGLANG);
        byte[] padded = new byte[payload.length + 20];
        System.arraycopy(payload, 0, padded, 7, payload.length);
        assertThat(decoder.decode(padded, 7, payload.length, frame)).isNull();
        assertThat(frame.dpRank()).isEqualTo(3);
        assertThat(decoder.decode(padded, 7, payload.length + 1, frame)).isEqualTo(RejectReason.TRAILING_BYTES);
        assertThat(decoder.decode(padded, 7, payload.length - 1, frame)).isEqualTo(RejectReason.TRUNCATED);
    }

    @Test
    void everyTruncationIsSeen() {
        for (String hex : WirePayloads.ALL) {
            byte[] payload = WirePayloads.bytes(hex);
            for (int length = 0; length < payload.length; length++) {
                assertThat(decoder.decode(payload, 0, length, frame))
                        .as("first %d bytes", length)
                        .isEqualTo(RejectReason.TRUNCATED);
            }
        }
    }

    @Test
    void refusesWrongTypes() {
        assertThat(decode(field("dp_rank").float64(1.0))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("dp_rank").raw(0xc3))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("dp_rank").raw(0xc0))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("dp_rank").str("1"))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("wall_time").str("1.0"))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("wall_time").raw(0xc0))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("wall_time").raw(0xc2))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("worker_id").raw(5))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("worker_id").raw(0xc4, 1, 'w'))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("scheduled_requests").raw(0x90))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(field("scheduled_requests").raw(0xc0))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(new TestMsgpack().map(1).raw(1).raw(1))).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode(new TestMsgpack().raw(0x91, 1))).isEqualTo(RejectReason.NOT_A_MAP);
        assertThat(decode(field("extra").raw(0xc1))).isEqualTo(RejectReason.MALFORMED);
    }

    @Test
    void refusesValuesThatMeanNothing() {
        assertThat(decode(field("wall_time").float64(Double.NaN))).isEqualTo(RejectReason.NOT_FINITE);
        assertThat(decode(field("wall_time").float64(Double.NEGATIVE_INFINITY))).isEqualTo(RejectReason.NOT_FINITE);
        assertThat(decode(field("wall_time").float64(-1e-300))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(field("wall_time").raw(0xff))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(field("dp_rank").int64(-1))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(field("dp_rank").raw(0xd0, 0x80))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(field("version").raw(2))).isEqualTo(RejectReason.UNSUPPORTED_VERSION);
        assertThat(decode(field("version").raw(0xff))).isEqualTo(RejectReason.NEGATIVE);
        assertThat(decode(field("something_else").raw(1))).isEqualTo(RejectReason.NOT_FPM);
        assertThat(decode(new TestMsgpack().map(0))).isEqualTo(RejectReason.NOT_FPM);
    }

    @Test
    void readsIntegersUpToTheLimitOfALongAndRefusesMore() {
        assertThat(decode(field("counter_id").uint64(Long.MAX_VALUE))).isNull();
        assertThat(frame.counterId()).isEqualTo(Long.MAX_VALUE);
        assertThat(decode(field("counter_id").uint64(Long.MIN_VALUE))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decode(field("counter_id").uint64(-1))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decode(field("counter_id").int64(5))).isNull();
        assertThat(decode(field("dp_rank").uint64(1L << 31))).isEqualTo(RejectReason.TOO_LARGE);
        assertThat(decode(field("wall_time").uint64(-1))).isNull();
        assertThat(frame.wallTimeSeconds()).isEqualTo(0x1p64);
        assertThat(frame.isPlausible()).isFalse();
    }

    @Test
    void negativeZeroIsZero() {
        assertThat(decode(field("wall_time").float64(-0.0))).isNull();
        assertThat(Double.doubleToRawLongBits(frame.wallTimeSeconds())).isZero();
        assertThat(frame.isHeartbeat()).isTrue();
    }

    @Test
    void workerIdsAreKeyedByBytes() {
        assertThat(decode(field("worker_id").str(new byte[] {(byte) 0xff, 'a'})))
                .isNull();
        FpmFrame other = new FpmFrame();
        byte[] payload = field("worker_id").str(new byte[] {(byte) 0xfe, 'a'}).bytes();
        assertThat(decoder.decode(payload, 0, payload.length, other)).isNull();
        assertThat(frame.workerId()).isEqualTo(other.workerId()).isEqualTo("\ufffda");
        assertThat(frame.sameWorker(other)).isFalse();
        String longest = "w".repeat(FpmDecoder.MAX_WORKER_ID_BYTES);
        assertThat(decode(field("worker_id").str(longest))).isNull();
        assertThat(frame.workerId()).isEqualTo(longest);
        assertThat(decode(field("worker_id").str(longest + "w"))).isEqualTo(RejectReason.TOO_LARGE);
    }

    @Test
    void survivesHostileNestingAndSizes() {
        TestMsgpack deep = field("extra");
        for (int i = 0; i < 60_000; i++) {
            deep.raw(0x91);
        }
        assertThat(decode(deep)).isEqualTo(RejectReason.TOO_DEEP);
        assertThat(decode(field("extra").raw(0xdf, 0x7f, 0xff, 0xff, 0xff))).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(field("extra").raw(0xdd, 0xff, 0xff, 0xff, 0xff))).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(field("extra").raw(0xc6, 0xff, 0xff, 0xff, 0xff))).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(new TestMsgpack().raw(0xdf, 0xff, 0xff, 0xff, 0xff))).isEqualTo(RejectReason.TRUNCATED);
        assertThat(decode(new byte[FpmDecoder.MAX_PAYLOAD_BYTES + 1])).isEqualTo(RejectReason.TOO_LARGE);
    }

    @Test
    void checksTheThreePartsOfAMessage() {
        byte[] empty = {};
        byte[] payload = WirePayloads.bytes(WirePayloads.MIXED_SGLANG);
        byte[] sequence = {0, 0, 0, 0, 0, 1, 0, 0};
        assertThat(decoder.decodeMultipart(List.of(empty, sequence, payload), frame))
                .isNull();
        assertThat(frame.sequence()).isEqualTo(65536);
        assertThat(frame.streamPosition()).isEqualTo(65536);
        assertThat(decoder.decodeMultipart(List.of(sequence, payload), frame)).isEqualTo(RejectReason.BAD_MULTIPART);
        byte[] topic = "load".getBytes(StandardCharsets.US_ASCII);
        assertThat(decoder.decodeMultipart(List.of(topic, sequence, payload), frame))
                .isEqualTo(RejectReason.BAD_MULTIPART);
        assertThat(decoder.decodeMultipart(List.of(empty, new byte[4], payload), frame))
                .isEqualTo(RejectReason.BAD_SEQUENCE);
        byte[] huge = {-1, -1, -1, -1, -1, -1, -1, -1};
        assertThat(decoder.decodeMultipart(List.of(empty, huge, payload), frame))
                .isEqualTo(RejectReason.BAD_SEQUENCE);
    }

    private static TestMsgpack field(String key) {
        return new TestMsgpack().map(1).str(key);
    }
}
