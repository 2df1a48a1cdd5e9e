/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;

/** Plain payloads in any order are read as by name; all others are left to that. */
class AnyOrderTest {
    private static final List<String> PLAIN = List.of(
            WirePayloads.IDLE_HEARTBEAT,
            WirePayloads.MIXED_SGLANG,
            WirePayloads.DECODE_DISAGGREGATED,
            WirePayloads.VERSION_0,
            WirePayloads.VLLM_TIMING_SCOPE,
            WirePayloads.TENSORRT_LLM);
    private static final int MUTATIONS = Integer.getInteger("fpm.fuzz.messages", 200_000) / 4;

    private final AgainstByName anyOrder = new AgainstByName(new AnyOrder()::read);
    private final Random random = new Random(7);

    @Test
    void readsPlainPayloadsInWhateverOrder() throws IOException {
        for (int i = 0; i < 2_000; i++) {
            anyOrder.assertReads(shuffled(WirePayloads.bytes(PLAIN.get(i % PLAIN.size()))));
        }
    }

    @Test
    void looksNoFurtherThanItsRange() throws IOException {
        for (int i = 0; i < 500; i++) {
            byte[] payload = shuffled(WirePayloads.bytes(PLAIN.get(i % PLAIN.size())));
            byte[] twice = AgainstByName.twice(payload);
            anyOrder.assertReads(twice, payload.length, payload.length);
            for (int length = 0; length < payload.length; length++) {
                assertThat(anyOrder.reads(twice, 0, length)).isFalse();
            }
            assertThat(anyOrder.reads(twice, 0, payload.length + 1)).isFalse();
        }
    }

    @Test
    void leavesWhatIsNotPlainToTheLongWay() throws IOException {
        assertThat(anyOrder.reads(WirePayloads.bytes(WirePayloads.INT_IN_FLOAT_FIELDS)))
                .isFalse();
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        packer.packMapHeader(1).packString("wall_time").packFloat(1);
        assertThat(anyOrder.reads(packer.toByteArray())).isFalse();
        assertThat(anyOrder.reads(map("dp_rank", ValueFactory.newInteger(-1)))).isFalse();
        assertThat(anyOrder.reads(map("dp_rank", ValueFactory.newInteger(1L << 31))))
                .isFalse();
        assertThat(anyOrder.reads(map("version", ValueFactory.newInteger(2)))).isFalse();
        assertThat(anyOrder.reads(map("wall_time", ValueFactory.newFloat(Double.POSITIVE_INFINITY))))
                .isFalse();
        assertThat(anyOrder.reads(map("wall_time", ValueFactory.newFloat(-0.0))))
                .isFalse();
        assertThat(anyOrder.reads(map("worker_ix", ValueFactory.newString("7"))))
                .isFalse();
        assertThat(anyOrder.reads(map("sum_prefill_tokens", ValueFactory.newInteger(1))))
                .isFalse();
        assertThat(anyOrder.reads(new byte[] {(byte) 0x80})).isFalse();
    }

    @Test
    void mapThatComesTwiceIsLeftToTheLongWay() throws IOException {
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        packer.packMapHeader(2);
        for (int i = 0; i < 2; i++) {
            packer.packString("queued_requests").packMapHeader(1);
            packer.packString(i == 0 ? "num_prefill_requests" : "num_decode_requests")
                    .packInt(5);
        }
        byte[] payload = packer.toByteArray();
        FpmFrame frame = new FpmFrame();
        assertThat(anyOrder.reads(payload)).isFalse();
        assertThat(new FpmDecoder().decode(payload, 0, payload.length, frame)).isNull();
        assertThat(frame.queuedPrefillRequests()).isZero();
        assertThat(frame.queuedDecodeRequests()).isEqualTo(5);
    }

    @Test
    void mutatedPayloadsAreReadOrRefusedAlike() throws IOException {
        Mutation mutation = new Mutation(43);
        int readFast = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] payload = mutation.of(shuffled(WirePayloads.bytes(PLAIN.get(mutation.below(PLAIN.size())))));
            readFast += anyOrder.assertAlike(payload) ? 1 : 0;
        }
        assertThat(readFast).isGreaterThan(MUTATIONS / 50);
    }

    private static byte[] map(String key, Value value) throws IOException {
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        packer.packMapHeader(1).packString(key).packValue(value);
        return packer.toByteArray();
    }

    /** The same payload with the keys of all maps in another order. */
    private byte[] shuffled(byte[] payload) throws IOException {
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        try (var unpacker = MessagePack.newDefaultUnpacker(payload)) {
            pack(unpacker.unpackValue(), packer);
        }
        return packer.toByteArray();
    }

    private void pack(Value value, MessageBufferPacker packer) throws IOException {
        if (!value.isMapValue()) {
            packer.packValue(value);
            return;
        }
        List<Map.Entry<Value, Value>> entries =
                new ArrayList<>(value.asMapValue().map().entrySet());
        Collections.shuffle(entries, random);
        packer.packMapHeader(entries.size());
        for (Map.Entry<Value, Value> entry : entries) {
            packer.packValue(entry.getKey());
            pack(entry.getValue(), packer);
        }
    }
}
