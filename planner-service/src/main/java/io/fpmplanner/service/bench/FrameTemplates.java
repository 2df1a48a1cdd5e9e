/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import io.fpmplanner.sim.publish.ForwardPassEncoder;
import io.fpmplanner.sim.publish.ForwardPassMetrics;
import io.fpmplanner.sim.publish.QueuedRequests;
import io.fpmplanner.sim.publish.ScheduledRequests;
import io.fpmplanner.sim.publish.WireDialect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;

/**
 * Steps of one engine whose batch and contexts wander, encoded once and then sent again and again under other worker ids.
 * The producer's counter holds the time of sending, nanoseconds since the Unix epoch. Not threadsafe.
 */
final class FrameTemplates {
    static final int STEPS = 512;
    /** A three-part ZMTP message before its payload: empty topic, sequence, length. */
    static final int HEAD_BYTES = 2 + 2 + Long.BYTES + 1 + Long.BYTES;

    private static final byte MORE = 1;
    private static final byte LONG = 2;
    private static final String ANY_WORKER = workerId(0);
    /** So large that it is encoded in eight bytes, like the times that take its place. */
    private static final long ANY_TIME = 1L << 60;

    private final byte[][] payloads = new byte[STEPS][];
    private final int[] idAt = new int[STEPS];
    private final int[] timeAt = new int[STEPS];
    private int longest;

    FrameTemplates() {
        Random random = new Random(1);
        ForwardPassEncoder encoder = new ForwardPassEncoder(WireDialect.V1);
        double batch = 32;
        double context = 1000;
        for (int i = 0; i < STEPS; i++) {
            batch = Math.max(1, Math.min(200, batch + random.nextInt(5) - 2));
            context = Math.max(200, Math.min(4000, context + 20 * random.nextGaussian()));
            byte[] payload = encoder.encode(step(random, (long) batch, context));
            payloads[i] = payload;
            longest = Math.max(longest, payload.length);
            idAt[i] = find(payload, ANY_WORKER);
            timeAt[i] = find(payload, "counter_id") + "counter_id".length() + 1;
        }
    }

    private static ForwardPassMetrics step(Random random, long batch, double context) {
        boolean mixed = random.nextInt(10) == 0;
        long prompts = mixed ? 1 + random.nextInt(4) : 0;
        long tokens = mixed ? 1 + random.nextInt(4000) : 0;
        double seconds = (0.008 + 5e-5 * batch + 2e-5 * tokens + 2e-8 * batch * context)
                * Math.exp(0.02 * random.nextGaussian());
        return new ForwardPassMetrics(
                ANY_WORKER,
                0,
                ANY_TIME,
                null,
                seconds,
                new ScheduledRequests(
                        prompts,
                        tokens,
                        mixed ? 1e4 * random.nextDouble() : 0,
                        mixed ? random.nextInt(8000) : 0,
                        batch,
                        (long) (batch * context),
                        1e5 * random.nextDouble()),
                new QueuedRequests(random.nextInt(3), random.nextInt(3000), 1e4 * random.nextDouble(), 0, 0, 0));
    }

    private static int find(byte[] payload, String text) {
        return new String(payload, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    /** The id of a worker: 36 characters. */
    static String workerId(int worker) {
        return new UUID(worker, ~worker).toString();
    }

    static byte[] workerIdBytes(int worker) {
        return workerId(worker).getBytes(StandardCharsets.US_ASCII);
    }

    /** Bytes of the longest message. */
    int longestMessage() {
        return HEAD_BYTES + longest;
    }

    /** A copy of the payload of a step, as it was encoded. */
    byte[] payload(int step) {
        byte[] payload = payloads[step % STEPS];
        return Arrays.copyOf(payload, payload.length);
    }

    /** Where the worker's id begins in the payload of a step. */
    int workerIdAt(int step) {
        return idAt[step % STEPS];
    }

    /** Writes a whole message in the framing of ZMTP. */
    void write(ByteBuffer into, byte[] workerId, long sequence, long sentNanos) {
        int step = (int) (sequence % STEPS);
        byte[] payload = payloads[step];
        into.put(MORE).put((byte) 0);
        into.put(MORE).put((byte) Long.BYTES).putLong(sequence);
        into.put(LONG).putLong(payload.length);
        int start = into.position();
        into.put(payload);
        into.put(start + idAt[step], workerId);
        into.putLong(start + timeAt[step], sentNanos);
    }
}
