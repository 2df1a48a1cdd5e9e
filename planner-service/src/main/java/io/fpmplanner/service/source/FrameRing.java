/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounded hand-off of frames from one thread to one other, in slots that are made when they are first needed and then
 * reused.
 *
 * <p>The producer claims a slot, fills it and publishes it; the consumer drains. Neither ever waits. One producer thread,
 * one consumer thread; {@link #size()} may be read by any.
 */
public final class FrameRing {
    /*
     * Two single-producer single-consumer queues (Lamport 1977) of slot numbers with release stores, one there and one back:
     * a slot's content happens-before the store to `published` that the consumer reads with acquire semantics, and the
     * consumer's reading of it happens-before the store to `consumed`.
     *
     * The slot that came back last is filled next, so that only as many are in use as frames wait: those stay in the caches,
     * and the others are never made. What came back is looked for every LOOK claims only, since that index belongs to the
     * other thread.
     */
    private static final int LOOK = 64;

    private final @Nullable Slot[] slots;
    private final int mask;
    private final int[] ready;
    private final int[] returned;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong consumed = new AtomicLong();
    private final FrameTap tap;
    private final WorkerLists workers;
    private final RejectSamples rejects = new RejectSamples();

    /** Of the producer: numbers of slots that are free, the one to take next last. */
    private final int[] free;

    private int freeCount;
    private int made;
    private long producerIndex;
    private long takenBack;

    @Nullable
    private Slot claimed;

    /** A ring of at least that many slots; at least 1, rounded up to a power of two. */
    public FrameRing(int capacity) {
        this(capacity, FrameTap.NONE);
    }

    /** The same, whose producer also shows every message to the tap, as it came. */
    public FrameRing(int capacity, FrameTap tap) {
        this(capacity, tap, WorkerLists.ALL);
    }

    /** The same, whose producer lets frames of these workers through only. */
    public FrameRing(int capacity, FrameTap tap, WorkerLists workers) {
        this.tap = tap;
        this.workers = workers;
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << (capacity > 1 ? 1 : 0);
        slots = new Slot[size];
        ready = new int[size];
        returned = new int[size];
        free = new int[size];
        mask = size - 1;
    }

    /** One place in the ring. Valid between claim and publish, or within the consumer's call. */
    public static final class Slot {
        private final int number;
        private final FpmFrame frame = new FpmFrame();
        private int poolIndex;

        @Nullable
        private RejectReason reject;

        @Nullable
        private KvReport report;

        private Slot(int number) {
            this.number = number;
        }

        /** The frame; if {@link #reject()} is set only its arrival stamps mean something. */
        public FpmFrame frame() {
            return frame;
        }

        public int poolIndex() {
            return poolIndex;
        }

        /** Why the message was no frame; null if it was one. */
        public @Nullable RejectReason reject() {
            return reject;
        }

        /** What an engine said of its KV cache, in place of a frame; null if it is a frame or none at all. */
        public @Nullable KvReport report() {
            return report;
        }

        /** Says whose report it is; its arrival is stamped on the frame. */
        Slot setReport(int pool, KvReport said) {
            poolIndex = pool;
            reject = null;
            report = said;
            return this;
        }

        /** Says whose frame it is, and if it is none, why; the producer's last step before it is published. */
        public Slot set(int pool, @Nullable RejectReason reason) {
            poolIndex = pool;
            reject = reason;
            report = null;
            return this;
        }
    }

    /** Takes what the ring holds. */
    @FunctionalInterface
    public interface Consumer {
        /** Must not keep the slot. */
        void accept(Slot slot);
    }

    /** The next slot to fill, or null if the ring is full. Claiming twice without publishing gives the same slot. */
    public @Nullable Slot claim() {
        if (claimed == null) {
            if (freeCount == 0 || producerIndex % LOOK == 0) {
                takeBack();
            }
            if (freeCount > 0) {
                claimed = slots[free[--freeCount]];
            } else if (made < slots.length) {
                claimed = new Slot(made);
                slots[made++] = claimed;
            }
        }
        return claimed;
    }

    private void takeBack() {
        long until = consumed.getAcquire();
        for (; takenBack < until; takenBack++) {
            free[freeCount++] = returned[(int) takenBack & mask];
        }
    }

    /** Hands the claimed slot over. */
    public void publish() {
        Slot filled = claimed;
        if (filled == null) {
            throw new IllegalStateException("nothing was claimed");
        }
        claimed = null;
        ready[(int) producerIndex & mask] = filled.number;
        producerIndex++;
        published.setRelease(producerIndex);
    }

    /** Feeds at most so many slots to the consumer; returns how many there were. */
    public int drain(int most, Consumer consumer) {
        long from = consumed.getPlain();
        long until = Math.min(published.getAcquire(), from + most);
        for (long i = from; i < until; i++) {
            int number = ready[(int) i & mask];
            consumer.accept(slot(number));
            returned[(int) i & mask] = number;
        }
        consumed.setRelease(until);
        return (int) (until - from);
    }

    private Slot slot(int number) {
        Slot slot = slots[number];
        if (slot == null) {
            throw new IllegalStateException("a slot was handed over that was never made");
        }
        return slot;
    }

    /** Whose frames its producer lets through. */
    WorkerLists workers() {
        return workers;
    }

    /** Who is shown every message. */
    FrameTap tap() {
        return tap;
    }

    /** Messages of its producer that were no frames. */
    RejectSamples rejects() {
        return rejects;
    }

    /** Slots published and not yet drained. */
    public int size() {
        return (int) Math.max(0, published.getAcquire() - consumed.getAcquire());
    }

    /** Most slots it can hold. */
    public int capacity() {
        return slots.length;
    }
}
