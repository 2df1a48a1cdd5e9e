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
 * <p>The producer claims a slot, fills it and publishes it; the consumer drains. Neither ever waits: when all slots wait to be
 * drained the producer takes the oldest back, and counts what they held as dropped. One producer thread, one consumer thread;
 * {@link #size()} may be read by any.
 */
public final class FrameRing {
    /*
     * Two queues (Lamport 1977) of slot numbers with release stores, one there and one back: a slot's content happens-before
     * the store to `published` that the consumer reads with acquire semantics, and the consumer's reading of it
     * happens-before the store to `returns`.
     *
     * Whoever moves `taken` on owns what it passed: the consumer what it drains, the producer what it drops. The consumer
     * copies the numbers before it moves it. What it copied is whole if it succeeds: as long as the oldest is not taken, all
     * slots may wait behind it, and none is left whose number could be written over its own.
     *
     * The slot that came back last is filled next, so that only as many are in use as frames wait: those stay in the caches,
     * and the others are never made. What came back is looked for every LOOK claims only, since that index belongs to the
     * other thread.
     */
    private static final int LOOK = 64;

    /** Most slots that are dropped at once, and a part of the ring: for each one alone both threads would meet at `taken`. */
    private static final int MOST_SHED = 64;

    private static final int SHED_PART = 16;

    private final @Nullable Slot[] slots;
    private final int mask;
    private final int[] ready;
    private final int[] returned;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong returns = new AtomicLong();
    private final FrameTap tap;
    private final WorkerLists workers;
    private final RejectSamples rejects = new RejectSamples();

    /** Of the producer: numbers of slots that are free, the one to take next last. */
    private final int[] free;

    private int freeCount;
    private int made;
    private long producerIndex;
    private long takenBack;

    /** Of the consumer: numbers of the slots that it drains. */
    private int[] draining = {};

    private long returnedIndex;

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

        @Nullable
        private EndpointLedger ledger;

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

        /** Says where it was received; it is counted there if it has to be dropped. */
        Slot from(EndpointLedger endpoint) {
            ledger = endpoint;
            return this;
        }

        private void drop() {
            if (reject == null && ledger != null) {
                ledger.countDropped();
            }
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

    /**
     * The next slot to fill. If all are full the oldest that nobody reads are dropped for it, each counted by its endpoint;
     * null only if the consumer reads all of them. Claiming twice without publishing gives the same slot.
     */
    public @Nullable Slot claim() {
        if (claimed == null) {
            if (freeCount == 0 || producerIndex % LOOK == 0) {
                takeBack();
            }
            if (freeCount == 0 && made == slots.length) {
                shed();
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
        long until = returns.getAcquire();
        for (; takenBack < until; takenBack++) {
            free[freeCount++] = returned[(int) takenBack & mask];
        }
    }

    private void shed() {
        long from = taken.get();
        int most = Math.max(1, Math.min(MOST_SHED, slots.length / SHED_PART));
        long until = Math.min(producerIndex, from + most);
        if (until == from || !taken.compareAndSet(from, until)) {
            // The consumer has just taken some, which will come back.
            return;
        }
        for (long i = from; i < until; i++) {
            int number = ready[(int) i & mask];
            slot(number).drop();
            free[freeCount++] = number;
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

    /** Feeds at most so many slots to the consumer, oldest first; returns how many there were. */
    public int drain(int most, Consumer consumer) {
        int count = take(most);
        for (int i = 0; i < count; i++) {
            consumer.accept(slot(draining[i]));
            returned[(int) returnedIndex++ & mask] = draining[i];
        }
        returns.setRelease(returnedIndex);
        return count;
    }

    /** Copies numbers of slots that are the consumer's from then on; returns how many. */
    private int take(int most) {
        if (draining.length < Math.min(most, slots.length)) {
            draining = new int[Math.min(most, slots.length)];
        }
        while (true) {
            long from = taken.get();
            int count = (int) Math.min(published.getAcquire() - from, Math.min(most, draining.length));
            for (int i = 0; i < count; i++) {
                draining[i] = ready[(int) (from + i) & mask];
            }
            if (count == 0 || taken.compareAndSet(from, from + count)) {
                return count;
            }
        }
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
        return (int) Math.max(0, published.getAcquire() - taken.getAcquire());
    }

    /** Slots that can be filled before any must be dropped; for the producer alone. */
    public int room() {
        takeBack();
        return freeCount + slots.length - made + (claimed == null ? 0 : 1);
    }

    /** Most slots it can hold. */
    public int capacity() {
        return slots.length;
    }
}
