/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.fpm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes flipped, cut, doubled and overwritten: the decoder answers each with a frame or a reason, never a throw. */
class FpmDecoderFuzzTest {
    private static final int MUTATIONS = 400_000;

    @Test
    void everyMutationIsAcceptedOrRefusedWithAReason() {
        SplittableRandom random = new SplittableRandom(20261129);
        FpmDecoder decoder = new FpmDecoder();
        FpmFrame frame = new FpmFrame();
        Map<RejectReason, Integer> refused = new EnumMap<>(RejectReason.class);
        int accepted = 0;
        byte[][] seeds = WirePayloads.ALL.stream().map(WirePayloads::bytes).toArray(byte[][]::new);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] payload = mutate(seeds[random.nextInt(seeds.length)], random);
            RejectReason reason = decoder.decode(payload, 0, payload.length, frame);
            if (reason == null) {
                accepted++;
                assertThat(isSane(frame)).isTrue();
            } else {
                refused.merge(reason, 1, Integer::sum);
            }
        }
        assertThat(accepted).isGreaterThan(MUTATIONS / 100);
        assertThat(refused)
                .containsKeys(
                        RejectReason.NOT_A_MAP,
                        RejectReason.TRUNCATED,
                        RejectReason.TRAILING_BYTES,
                        RejectReason.UNSUPPORTED_VERSION,
                        RejectReason.WRONG_TYPE,
                        RejectReason.NEGATIVE,
                        RejectReason.NOT_FINITE,
                        RejectReason.TOO_LARGE,
                        RejectReason.MALFORMED);
    }

    private static boolean isSane(FpmFrame frame) {
        FrameView view = frame.view();
        return view.dpRank() >= 0
                && view.counterId() >= 0
                && view.wallTimeSeconds() >= 0
                && Double.isFinite(view.wallTimeSeconds())
                && view.scheduled().prefillTokens() >= 0
                && view.queued().decodeKvTokens() >= 0
                && Double.isFinite(view.queued().prefillLengthVariance().orElse(0));
    }

    private static byte[] mutate(byte[] seed, SplittableRandom random) {
        byte[] payload = seed.clone();
        int changes = 1 + random.nextInt(3);
        for (int c = 0; c < changes; c++) {
            int at = random.nextInt(Math.max(1, payload.length));
            switch (random.nextInt(7)) {
                case 0 -> payload[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> payload[at] = (byte) random.nextInt(256);
                case 2 -> payload = Arrays.copyOf(payload, Math.max(1, at));
                case 3 -> payload = Arrays.copyOf(payload, payload.length + 1 + random.nextInt(16));
                case 4 -> payload[at] = (byte) (0xc0 + random.nextInt(32));
                case 5 -> {
                    int length = Math.min(8, payload.length - at);
                    Arrays.fill(payload, at, at + length, (byte) 0xff);
                }
                default -> {
                    int from = random.nextInt(payload.length);
                    int length = Math.min(random.nextInt(32), payload.length - Math.max(at, from));
                    System.arraycopy(payload, from, payload, at, Math.max(0, length));
                }
            }
        }
        return payload;
    }
}
