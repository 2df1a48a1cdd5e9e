/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Payloads as msgspec writes them, of one engine whose batch and contexts wander: nine steps of ten decode, the others
 * also hold prompts. Worker ids have 36 characters. Equal seeds give equal payloads.
 */
final class Payloads {
    /** Bytes of a worker id. */
    static final int WORKER_ID_BYTES = 36;

    private final Random random = new Random(1);
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private final boolean shuffled;
    private long counter;
    private double batch = 32;
    private double context = 1000;

    @FunctionalInterface
    private interface Value {
        void pack() throws IOException;
    }

    private record Field(String name, Value value) {}

    /** In the declared order, or with the keys of all maps shuffled anew for each payload. */
    Payloads(boolean shuffled) {
        this.shuffled = shuffled;
    }

    /** The id of a worker. */
    static String workerId(int worker) {
        return new UUID(worker, ~worker).toString();
    }

    /** The next step, sent by that worker. */
    byte[] next(int worker) {
        packer.clear();
        batch = Math.max(1, Math.min(200, batch + random.nextInt(5) - 2));
        context = Math.max(200, Math.min(4000, context + 20 * random.nextGaussian()));
        boolean mixed = random.nextInt(10) == 0;
        long prompts = mixed ? 1 + random.nextInt(4) : 0;
        long tokens = mixed ? 1 + random.nextInt(4000) : 0;
        long cached = mixed ? random.nextInt(8000) : 0;
        long decodes = (long) batch;
        double seconds = (0.008 + 5e-5 * batch + 2e-5 * tokens + 2e-8 * batch * context)
                * Math.exp(0.02 * random.nextGaussian());
        map(List.of(
                integer("version", 1),
                new Field("worker_id", () -> packer.packString(workerId(worker))),
                integer("dp_rank", 0),
                integer("counter_id", counter++),
                real("wall_time", seconds),
                nested(
                        "scheduled_requests",
                        List.of(
                                integer("num_prefill_requests", prompts),
                                integer("sum_prefill_tokens", tokens),
                                real("var_prefill_length", mixed ? 1e4 * random.nextDouble() : 0),
                                integer("sum_prefill_kv_tokens", cached),
                                integer("num_decode_requests", decodes),
                                integer("sum_decode_kv_tokens", (long) (batch * context)),
                                real("var_decode_kv_tokens", 1e5 * random.nextDouble()))),
                nested(
                        "queued_requests",
                        List.of(
                                integer("num_prefill_requests", random.nextInt(3)),
                                integer("sum_prefill_tokens", random.nextInt(3000)),
                                real("var_prefill_length", 1e4 * random.nextDouble()),
                                integer("num_decode_requests", 0),
                                integer("sum_decode_kv_tokens", 0),
                                real("var_decode_kv_tokens", 0)))));
        return packer.toByteArray();
    }

    private Field integer(String name, long value) {
        return new Field(name, () -> packer.packLong(value));
    }

    private Field real(String name, double value) {
        return new Field(name, () -> packer.packDouble(value));
    }

    private Field nested(String name, List<Field> fields) {
        return new Field(name, () -> map(fields));
    }

    private void map(List<Field> declared) {
        List<Field> fields = new ArrayList<>(declared);
        if (shuffled) {
            Collections.shuffle(fields, random);
        }
        try {
            packer.packMapHeader(fields.size());
            for (Field field : fields) {
                packer.packString(field.name());
                field.value().pack();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a packer into memory cannot fail", e);
        }
    }
}
