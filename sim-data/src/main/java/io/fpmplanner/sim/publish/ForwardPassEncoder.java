/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Writes {@link ForwardPassMetrics} as msgpack, byte for byte as msgspec writes the engines' structs.
 *
 * <p>Not threadsafe.
 */
public final class ForwardPassEncoder {
    /*
     * msgspec encodes a Struct without array_like as a map of all its fields in declaration order, integers in their
     * smallest form and floats always as float64 (msgspec docs, structs.rst). msgpack-core's packer makes the same
     * choices for int, str and float64, so only the order below matters.
     */
    private static final int VERSION = 1;

    private final WireDialect dialect;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();

    public ForwardPassEncoder(WireDialect dialect) {
        this.dialect = dialect;
    }

    /** The payload of one message, about 400 bytes. */
    public byte[] encode(ForwardPassMetrics metrics) {
        packer.clear();
        try {
            packMetrics(metrics);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("a packer into memory cannot fail", e);
        }
    }

    private void packMetrics(ForwardPassMetrics metrics) throws IOException {
        String timingScope = metrics.timingScope();
        boolean current = dialect == WireDialect.V1;
        packer.packMapHeader(5 + (current ? 2 : 0) + (timingScope != null ? 1 : 0));
        if (current) {
            packLong("version", VERSION);
        }
        packer.packString("worker_id").packString(metrics.workerId());
        packLong("dp_rank", metrics.dpRank());
        if (current) {
            packLong("counter_id", metrics.counterId());
        }
        if (timingScope != null) {
            packer.packString("timing_scope").packString(timingScope);
        }
        packDouble("wall_time", metrics.wallTimeSeconds());
        packScheduled(metrics.scheduled());
        packQueued(metrics.queued());
    }

    private void packScheduled(ScheduledRequests scheduled) throws IOException {
        packer.packString("scheduled_requests").packMapHeader(7);
        packLong("num_prefill_requests", scheduled.numPrefillRequests());
        packLong("sum_prefill_tokens", scheduled.sumPrefillTokens());
        packDouble("var_prefill_length", scheduled.varPrefillLength());
        packLong("sum_prefill_kv_tokens", scheduled.sumPrefillKvTokens());
        packLong("num_decode_requests", scheduled.numDecodeRequests());
        packLong("sum_decode_kv_tokens", scheduled.sumDecodeKvTokens());
        packDouble("var_decode_kv_tokens", scheduled.varDecodeKvTokens());
    }

    private void packQueued(QueuedRequests queued) throws IOException {
        packer.packString("queued_requests").packMapHeader(6);
        packLong("num_prefill_requests", queued.numPrefillRequests());
        packLong("sum_prefill_tokens", queued.sumPrefillTokens());
        packDouble("var_prefill_length", queued.varPrefillLength());
        packLong("num_decode_requests", queued.numDecodeRequests());
        packLong("sum_decode_kv_tokens", queued.sumDecodeKvTokens());
        packDouble("var_decode_kv_tokens", queued.varDecodeKvTokens());
    }

    private void packLong(String key, long value) throws IOException {
        packer.packString(key).packLong(value);
    }

    private void packDouble(String key, double value) throws IOException {
        packer.packString(key).packDouble(value);
    }
}
