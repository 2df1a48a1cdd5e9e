/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameRingTest {
    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "256,256", "1000,1024"})
    void theCapacityIsRoundedUpToAPowerOfTwo(int wanted, int capacity) {
        assertThat(new FrameRing(wanted).capacity()).isEqualTo(capacity);
    }

    @Test
    void aFullRingRefusesUntilItIsDrained() {
        FrameRing ring = new FrameRing(2);
        put(ring, 1);
        put(ring, 2);
        assertThat(ring.claim()).isNull();
        assertThat(ring.size()).isEqualTo(2);

        assertThat(drain(ring, 1)).containsExactly(1L);
        put(ring, 3);
        assertThat(ring.claim()).isNull();

        assertThat(drain(ring, 10)).containsExactly(2L, 3L);
        assertThat(drain(ring, 10)).isEmpty();
        assertThat(ring.size()).isZero();
    }

    @Test
    void aClaimedSlotIsSeenOnlyOncePublished() {
        FrameRing ring = new FrameRing(4);
        FrameRing.Slot slot = ring.claim();
        assertThat(slot).isNotNull().isSameAs(ring.claim());
        slot.set(7, RejectReason.NEGATIVE);
        assertThat(ring.drain(10, each -> {})).isZero();

        ring.publish();

        List<FrameRing.Slot> seen = new ArrayList<>();
        ring.drain(10, seen::add);
        assertThat(seen).hasSize(1);
        assertThat(seen.get(0).poolIndex()).isEqualTo(7);
        assertThat(seen.get(0).reject()).isEqualTo(RejectReason.NEGATIVE);
    }

    @Test
    void betweenTwoThreadsNothingIsLostTornOrReordered() throws Exception {
        long frames = 50_000;
        FrameRing ring = new FrameRing(64);
        AtomicLong refused = new AtomicLong();
        Thread producer = new Thread(() -> {
            for (long i = 0; i < frames; i++) {
                FrameRing.Slot slot = ring.claim();
                while (slot == null) {
                    refused.incrementAndGet();
                    Thread.onSpinWait();
                    slot = ring.claim();
                }
                slot.frame().sequence(i).wallTimeSeconds((double) i).dpRank((int) i);
                slot.set((int) i, null);
                ring.publish();
            }
        });
        producer.start();
        long[] next = {0};
        while (next[0] < frames) {
            ring.drain(16, slot -> {
                long expected = next[0]++;
                if (slot.frame().sequence() != expected
                        || slot.frame().wallTimeSeconds() != expected
                        || slot.poolIndex() != (int) expected) {
                    throw new AssertionError("slot " + expected + " holds "
                            + slot.frame().sequence() + ", "
                            + slot.frame().wallTimeSeconds() + ", " + slot.poolIndex());
                }
            });
        }
        producer.join();
        assertThat(ring.size()).isZero();
    }

    private static void put(FrameRing ring, long sequence) {
        FrameRing.Slot slot = ring.claim();
        assertThat(slot).isNotNull();
        slot.frame().sequence(sequence);
        slot.set(0, null);
        ring.publish();
    }

    private static List<Long> drain(FrameRing ring, int most) {
        List<Long> seen = new ArrayList<>();
        ring.drain(most, slot -> seen.add(slot.frame().sequence()));
        return seen;
    }
}
