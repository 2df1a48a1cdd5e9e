/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way of reading a payload tells the same as the long one, whatever the bytes. */
class DeclaredOrderTest {
    private static final List<String> DECLARED = List.of(
            WirePayloads.IDLE_HEARTBEAT,
            WirePayloads.MIXED_SGLANG,
            WirePayloads.DECODE_DISAGGREGATED,
            WirePayloads.VLLM_TIMING_SCOPE,
            WirePayloads.TENSORRT_LLM);
    private static final int MUTATIONS = Integer.getInteger("fpm.fuzz.messages", 200_000) / 4;

    private final AgainstByName declaredOrder = new AgainstByName(new DeclaredOrder()::read);
    private final FpmDecoder decoder = new FpmDecoder();
    private final FpmFrame frame = new FpmFrame();

    @Test
    void readsWhatEnginesSendToday() {
        for (String hex : DECLARED) {
            declaredOrder.assertReads(WirePayloads.bytes(hex));
        }
    }

    @Test
    void leavesOtherDialectsToTheLongWay() {
        for (String hex : List.of(WirePayloads.VERSION_0, WirePayloads.INT_IN_FLOAT_FIELDS)) {
            byte[] payload = WirePayloads.bytes(hex);
            assertThat(declaredOrder.reads(payload)).isFalse();
            assertThat(decoder.decode(payload, 0, payload.length, frame)).isNull();
        }
    }

    @Test
    void staysInsideItsRangeWhateverStandsBehindIt() {
        for (String hex : DECLARED) {
            byte[] payload = WirePayloads.bytes(hex);
            byte[] twice = AgainstByName.twice(payload);
            for (int length = 0; length < payload.length; length++) {
                assertThat(declaredOrder.reads(twice, 0, length)).isFalse();
                assertThat(declaredOrder.reads(Arrays.copyOf(payload, length))).isFalse();
                assertThat(decoder.decode(twice, 0, length, frame)).isEqualTo(RejectReason.TRUNCATED);
            }
            declaredOrder.assertReads(twice, payload.length, payload.length);
            assertThat(decoder.decode(twice, 0, payload.length + 1, frame)).isEqualTo(RejectReason.TRAILING_BYTES);
        }
    }

    @Test
    void mutatedPayloadsAreReadOrRefusedAlike() {
        Mutation mutation = new Mutation(42);
        int readFast = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] seed = WirePayloads.bytes(DECLARED.get(mutation.below(DECLARED.size())));
            byte[] payload = i % 2 == 0 ? mutation.of(seed) : changedNumber(seed, mutation);
            readFast += declaredOrder.assertAlike(payload) ? 1 : 0;
        }
        assertThat(readFast).isGreaterThan(MUTATIONS / 20);
    }

    /** Puts another number, of any form and worth, where a number stands. */
    private static byte[] changedNumber(byte[] payload, Mutation mutation) {
        int[] types = {0x00, 0x7f, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xe0, 0xff, 0xc0, 0xa1};
        int at = 1 + mutation.below(payload.length - 1);
        while (at < payload.length - 1 && (payload[at] >= 0x20 || payload[at] < 0) && payload[at] != (byte) 0xcb) {
            at++;
        }
        int old = payload[at] == (byte) 0xcb ? 9 : 1;
        int type = types[mutation.below(types.length)];
        int size = switch (type) {
            case 0xcc, 0xd0, 0xa1 -> 1;
            case 0xcd, 0xd1 -> 2;
            case 0xca, 0xce, 0xd2 -> 4;
            case 0xcb, 0xcf, 0xd3 -> 8;
            default -> 0;
        };
        byte[] changed = new byte[Math.max(at + 1, payload.length - old + 1 + size)];
        System.arraycopy(payload, 0, changed, 0, at);
        changed[at] = (byte) type;
        for (int i = 0; i < size; i++) {
            changed[at + 1 + i] = (byte) mutation.below(mutation.below(3) == 0 ? 256 : 128);
        }
        int rest = Math.min(payload.length - at - old, changed.length - at - 1 - size);
        System.arraycopy(payload, at + old, changed, at + 1 + size, Math.max(0, rest));
        return changed;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 31, 32, 36, 128, 255, 256, 1024, 1025})
    void takesWorkerIdsOfAnyLength(int length) {
        byte[] payload = WirePayloads.bytes(WirePayloads.MIXED_SGLANG);
        byte[] before = Arrays.copyOf(payload, 20);
        byte[] id = new byte[length];
        Arrays.fill(id, (byte) 'w');
        TestMsgpack out = new TestMsgpack();
        for (byte b : before) {
            out.raw(b);
        }
        out.str(id);
        for (int i = 29; i < payload.length; i++) {
            out.raw(payload[i]);
        }
        byte[] changed = out.bytes();
        RejectReason reason = decoder.decode(changed, 0, changed.length, frame);
        assertThat(reason).isEqualTo(length > FpmDecoder.MAX_WORKER_ID_BYTES ? RejectReason.TOO_LARGE : null);
        assertThat(declaredOrder.assertAlike(changed)).isEqualTo(length < 256);
    }
}
