/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.bench;

import java.io.IOException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.core.buffer.ArrayBufferInput;

/** The yardstick: a payload read with msgpack-core as its documentation has it, keys as strings, one unpacker reused. */
final class StringKeyReader {
    private final ArrayBufferInput input = new ArrayBufferInput(new byte[0]);
    private final MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(input);

    long version;
    String workerId = "";
    long dpRank;
    long counterId;
    double wallTime;
    final long[] scheduled = new long[5];
    final double[] scheduledVariances = new double[2];
    final long[] queued = new long[4];
    final double[] queuedVariances = new double[2];

    void read(byte[] payload) throws IOException {
        input.reset(payload);
        unpacker.reset(input);
        int entries = unpacker.unpackMapHeader();
        for (int i = 0; i < entries; i++) {
            switch (unpacker.unpackString()) {
                case "version" -> version = unpacker.unpackLong();
                case "worker_id" -> workerId = unpacker.unpackString();
                case "dp_rank" -> dpRank = unpacker.unpackLong();
                case "counter_id" -> counterId = unpacker.unpackLong();
                case "wall_time" -> wallTime = unpacker.unpackDouble();
                case "scheduled_requests" -> readScheduled();
                case "queued_requests" -> readQueued();
                default -> unpacker.skipValue();
            }
        }
    }

    private void readScheduled() throws IOException {
        int entries = unpacker.unpackMapHeader();
        for (int i = 0; i < entries; i++) {
            switch (unpacker.unpackString()) {
                case "num_prefill_requests" -> scheduled[0] = unpacker.unpackLong();
                case "sum_prefill_tokens" -> scheduled[1] = unpacker.unpackLong();
                case "var_prefill_length" -> scheduledVariances[0] = unpacker.unpackDouble();
                case "sum_prefill_kv_tokens" -> scheduled[2] = unpacker.unpackLong();
                case "num_decode_requests" -> scheduled[3] = unpacker.unpackLong();
                case "sum_decode_kv_tokens" -> scheduled[4] = unpacker.unpackLong();
                case "var_decode_kv_tokens" -> scheduledVariances[1] = unpacker.unpackDouble();
                default -> unpacker.skipValue();
            }
        }
    }

    private void readQueued() throws IOException {
        int entries = unpacker.unpackMapHeader();
        for (int i = 0; i < entries; i++) {
            switch (unpacker.unpackString()) {
                case "num_prefill_requests" -> queued[0] = unpacker.unpackLong();
                case "sum_prefill_tokens" -> queued[1] = unpacker.unpackLong();
                case "var_prefill_length" -> queuedVariances[0] = unpacker.unpackDouble();
                case "num_decode_requests" -> queued[2] = unpacker.unpackLong();
                case "sum_decode_kv_tokens" -> queued[3] = unpacker.unpackLong();
                case "var_decode_kv_tokens" -> queuedVariances[1] = unpacker.unpackDouble();
                default -> unpacker.skipValue();
            }
        }
    }
}
