/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Flips, cuts, doubles and overwrites bytes, and drops, adds and swaps the parts of a message. */
final class Mutation {
    private final SplittableRandom random;

    Mutation(long seed) {
        random = new SplittableRandom(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    byte[] of(byte[] seed) {
        byte[] bytes = seed.clone();
        int changes = 1 + random.nextInt(3);
        for (int c = 0; c < changes && bytes.length > 0; c++) {
            bytes = change(bytes);
        }
        return bytes;
    }

    private byte[] change(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(8)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 3 -> {
                return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(16));
            }
            case 4 -> bytes[at] = (byte) (0xc0 + random.nextInt(32));
            case 5 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) 0xff);
            case 6 -> {
                return deepen(bytes, at);
            }
            default -> {
                int from = random.nextInt(bytes.length);
                int length = Math.min(random.nextInt(32), bytes.length - Math.max(at, from));
                System.arraycopy(bytes, from, bytes, at, Math.max(0, length));
            }
        }
        return bytes;
    }

    /** Replaces the rest by nested arrays or maps of many entries, up to 4 kB. */
    private byte[] deepen(byte[] bytes, int at) {
        byte[] deep = Arrays.copyOf(bytes, at + 1 + random.nextInt(4096));
        Arrays.fill(deep, at, deep.length, (byte) (random.nextBoolean() ? 0x91 : 0x81 + random.nextInt(15)));
        return deep;
    }

    /** A message with one mutated part, or with a part too few, too many or out of place. */
    List<byte[]> of(List<byte[]> parts) {
        List<byte[]> message = new ArrayList<>(parts);
        int at = random.nextInt(message.size());
        switch (random.nextInt(8)) {
            case 0 -> message.remove(at);
            case 1 -> message.add(at, new byte[random.nextInt(16)]);
            case 2 -> message.add(message.remove(at));
            default -> message.set(at, of(message.get(at)));
        }
        return message;
    }
}
