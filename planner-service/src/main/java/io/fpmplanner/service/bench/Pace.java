/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/**
 * How fast this machine is at the moment, by work that no change of the planner touches: figures of two runs compare by
 * their ratio to these.
 */
final class Pace {
    private static final int CHUNKS = 1_000;
    private static final int CHUNKS_BEFORE = 100;
    private static final int CHUNK = 512;
    /** Far more than the second-level cache, less than what many machines share as their third. */
    private static final int CELLS = 1 << 24;

    private final byte[] payload;
    private final int[] next = new int[CELLS];
    private int place;

    /** The pace of reading this payload, among others. */
    Pace(byte[] payload) {
        this.payload = payload.clone();
        // One cycle through all cells (Sattolo 1986), so that each read has to wait for the one before.
        Random random = new Random(1);
        for (int i = 0; i < CELLS; i++) {
            next[i] = i;
        }
        for (int i = CELLS - 1; i > 0; i--) {
            int other = random.nextInt(i);
            int cell = next[i];
            next[i] = next[other];
            next[other] = cell;
        }
    }

    Figures into(Figures figures) throws IOException {
        figures.put("pace: msgpack-core reads a payload, ns", median(this::read));
        return figures.put("pace: a read in 64 MB at random, ns", median(this::jump));
    }

    private interface Work {
        /** A chunk of it; what comes out is above 0 and only says that it was done. */
        long chunk() throws IOException;
    }

    private static double median(Work work) throws IOException {
        double[] nanos = new double[CHUNKS];
        long done = 0;
        for (int i = -CHUNKS_BEFORE; i < CHUNKS; i++) {
            long start = System.nanoTime();
            done += work.chunk();
            nanos[Math.max(0, i)] = (double) (System.nanoTime() - start) / CHUNK;
        }
        Arrays.sort(nanos);
        return done > 0 ? nanos[CHUNKS / 2] : Double.NaN;
    }

    private long read() throws IOException {
        long entries = 0;
        for (int i = 0; i < CHUNK; i++) {
            try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
                entries += unpacker.unpackValue().asMapValue().size();
            }
        }
        return entries;
    }

    private long jump() {
        for (int i = 0; i < CHUNK; i++) {
            place = next[place];
        }
        return 1L + place;
    }
}
