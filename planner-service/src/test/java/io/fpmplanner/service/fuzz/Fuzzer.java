/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.fuzz;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** Changes well-formed inputs in many ways and gives them to a target. */
final class Fuzzer {
    /** Whatever takes longer on an idle machine hangs. */
    private static final long HANG_NANOS = 5_000_000_000L;

    private static final int LONGEST = 1 << 14;
    private static final byte[] TELLING = {0, 1, -1, 127, -128, (byte) 0xc4, (byte) 0xdb, (byte) 0xdf, '\n', '{', '"'};

    private final SplittableRandom random;

    Fuzzer(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Reads so many inputs; returns the longest time that one took, nanoseconds. */
    long run(FuzzTarget target, long inputs) throws IOException {
        List<byte[]> corpus = target.corpus();
        long longest = 0;
        for (long i = 0; i < inputs; i++) {
            byte[] data = mutated(corpus);
            long start = System.nanoTime();
            try {
                target.reader().read(data);
            } catch (Exception | StackOverflowError | AssertionError e) {
                throw new AssertionError(
                        target.name() + " failed on " + HexFormat.of().formatHex(data), e);
            }
            long took = System.nanoTime() - start;
            longest = Math.max(longest, took);
            if (took > HANG_NANOS) {
                throw new AssertionError(
                        target.name() + " hangs on " + HexFormat.of().formatHex(data));
            }
        }
        return longest;
    }

    private byte[] mutated(List<byte[]> seeds) {
        byte[] data = seeds.get(random.nextInt(seeds.size())).clone();
        for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
            data = changed(data, seeds);
        }
        return data.length > LONGEST ? Arrays.copyOf(data, LONGEST) : data;
    }

    private byte[] changed(byte[] data, List<byte[]> seeds) {
        if (data.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(data.length);
        switch (random.nextInt(8)) {
            case 0 -> data[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> data[at] = (byte) random.nextInt();
            case 2 -> data[at] = TELLING[random.nextInt(TELLING.length)];
            case 3 -> {
                return Arrays.copyOf(data, at);
            }
            case 4 -> {
                return spliced(data, at, new byte[1 + random.nextInt(8)]);
            }
            case 5 -> {
                return spliced(data, at, Arrays.copyOfRange(data, at, Math.min(data.length, at + 32)));
            }
            case 6 -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                return spliced(
                        Arrays.copyOf(data, at),
                        at,
                        Arrays.copyOfRange(other, Math.min(at, other.length), other.length));
            }
            default -> {
                for (int i = at; i < Math.min(data.length, at + 4); i++) {
                    data[i] = (byte) 0xff;
                }
            }
        }
        return data;
    }

    private static byte[] spliced(byte[] data, int at, byte[] piece) {
        byte[] longer = new byte[data.length + piece.length];
        System.arraycopy(data, 0, longer, 0, at);
        System.arraycopy(piece, 0, longer, at, piece.length);
        System.arraycopy(data, at, longer, at + piece.length, data.length - at);
        return longer;
    }
}
