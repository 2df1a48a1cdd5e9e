/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameRingTest {
    private final EndpointLedger ledger = new EndpointLedger(0, "a", "a", EndpointState.CONNECTED);

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "256,256", "1000,1024"})
    void theCapacityIsRoundedUpToAPowerOfTwo(int wanted, int capacity) {
        assertThat(new FrameRing(wanted).capacity()).isEqualTo(capacity);
    }

    @Test
    void aFullRingDropsTheOldestAndCountsIt() {
        FrameRing ring = new FrameRing(2);
        put(ring, 1);
        put(ring, 2);
        put(ring, 3);
        assertThat(ring.size()).isEqualTo(2);
        assertThat(drain(ring, 1)).containsExactly(2L);
        put(ring, 4);
        assertThat(ledger.counts().framesDropped()).isEqualTo(1);

        assertThat(drain(ring, 10)).containsExactly(3L, 4L);
        assertThat(drain(ring, 10)).isEmpty();
        assertThat(ring.size()).isZero();
    }

    @Test
    void whatTheConsumerReadsIsNotDropped() {
        FrameRing ring = new FrameRing(2);
        put(ring, 1);
        put(ring, 2);
        List<Long> seen = new ArrayList<>();
        ring.drain(2, slot -> {
            assertThat(ring.claim()).isNull();
            seen.add(slot.frame().sequence());
        });
        assertThat(seen).containsExactly(1L, 2L);
        assertThat(ledger.counts().framesDropped()).isZero();
        assertThat(ring.claim()).isNotNull();
    }

    @Test
    void rejectedMessagesThatMakeRoomAreNotDroppedFrames() {
        FrameRing ring = new FrameRing(1);
        ring.claim().from(ledger).set(0, RejectReason.NEGATIVE);
        ring.publish();
        put(ring, 1);
        assertThat(ledger.counts().framesDropped()).isZero();
        assertThat(drain(ring, 1)).containsExactly(1L);
    }

    @Test
    void aSlowConsumerGetsTheNewestInOrderAndEveryFrameIsSeenOrCounted() throws Exception {
        long frames = 50_000;
        FrameRing ring = new FrameRing(128);
        Thread producer = new Thread(() -> {
            for (long i = 0; i < frames; i++) {
                FrameRing.Slot slot = ring.claim();
                while (slot == null) {
                    Thread.onSpinWait();
                    slot = ring.claim();
                }
                slot.frame().sequence(i).wallTimeSeconds((double) i).dpRank((int) i);
                slot.from(ledger).set((int) i, null);
                ring.publish();
            }
        });
        producer.start();
        long[] last = {-1};
        long[] seen = {0};
        while (last[0] < frames - 1) {
            ring.drain(32, slot -> {
                long sequence = slot.frame().sequence();
                if (sequence <= last[0]
                        || slot.frame().wallTimeSeconds() != sequence
                        || slot.poolIndex() != (int) sequence) {
                    throw new AssertionError("after " + last[0] + " came " + sequence + " with " + slot.poolIndex());
                }
                last[0] = sequence;
                seen[0]++;
                Thread.onSpinWait();
            });
        }
        producer.join();
        assertThat(seen[0] + ledger.counts().framesDropped()).isEqualTo(frames);
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
    void betweenTwoThreadsThatKeepStepNothingIsLostTornOrReordered() throws Exception {
        long frames = 50_000;
        FrameRing ring = new FrameRing(64);
        Thread producer = new Thread(() -> {
            for (long i = 0; i < frames; i++) {
                while (ring.room() == 0) {
                    Thread.onSpinWait();
                }
                FrameRing.Slot slot = ring.claim();
                while (slot == null) {
                    Thread.onSpinWait();
                    slot = ring.claim();
                }
                slot.frame().sequence(i);
                slot.from(ledger).set((int) i, null);
                ring.publish();
            }
        });
        producer.start();
        long[] next = {0};
        while (next[0] < frames) {
            ring.drain(16, slot -> {
                long expected = next[0]++;
                if (slot.frame().sequence() != expected || slot.poolIndex() != (int) expected) {
                    throw new AssertionError(
                            "slot " + expected + " holds " + slot.frame().sequence() + ", " + slot.poolIndex());
                }
            });
        }
        producer.join();
        assertThat(ring.size()).isZero();
        assertThat(ledger.counts().framesDropped()).isZero();
    }

    private void put(FrameRing ring, long sequence) {
        FrameRing.Slot slot = ring.claim();
        assertThat(slot).isNotNull();
        slot.frame().sequence(sequence);
        slot.from(ledger).set(0, null);
        ring.publish();
    }

    private static List<Long> drain(FrameRing ring, int most) {
        List<Long> seen = new ArrayList<>();
        ring.drain(most, slot -> seen.add(slot.frame().sequence()));
        return seen;
    }
}
