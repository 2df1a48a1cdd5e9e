/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvReport;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounded hand-off of frames from one thread to one other: a ring of slots that are made once and reused.
 *
 * <p>The producer claims a slot, fills it and publishes it; the consumer drains. Neither ever waits. One producer thread,
 * one consumer thread; {@link #size()} may be read by any.
 */
public final class FrameRing {
    /*
     * The classic single-producer single-consumer queue (Lamport 1977) with release stores: a slot's content
     * happens-before the store to `published` that the consumer reads with acquire semantics, and the consumer's reading
     * of it happens-before the store to `consumed`. Each side caches the other's index, so that it is read once per lap
     * or batch rather than per frame.
     */
    private final Slot[] slots;
    private final int mask;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong consumed = new AtomicLong();
    private final FrameTap tap;
    private final RejectSamples rejects = new RejectSamples();
    private long producerIndex;
    private long producerLimit;

    /** A ring of at least that many slots; at least 1, rounded up to a power of two. */
    public FrameRing(int capacity) {
        this(capacity, FrameTap.NONE);
    }

    /** The same, whose producer also shows every message to the tap, as it came. */
    public FrameRing(int capacity, FrameTap tap) {
        this.tap = tap;
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << (capacity > 1 ? 1 : 0);
        slots = new Slot[size];
        for (int i = 0; i < size; i++) {
            slots[i] = new Slot();
        }
        mask = size - 1;
        producerLimit = size;
    }

    /** One place in the ring. Valid between claim and publish, or within the consumer's call. */
    public static final class Slot {
        private final FpmFrame frame = new FpmFrame();
        private int poolIndex;

        @Nullable
        private RejectReason reject;

        @Nullable
        private KvReport report;

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
        if (producerIndex >= producerLimit) {
            producerLimit = consumed.getAcquire() + slots.length;
            if (producerIndex >= producerLimit) {
                return null;
            }
        }
        return slots[(int) producerIndex & mask];
    }

    /** Hands the claimed slot over. */
    public void publish() {
        producerIndex++;
        published.setRelease(producerIndex);
    }

    /** Feeds at most so many slots to the consumer; returns how many there were. */
    public int drain(int most, Consumer consumer) {
        long from = consumed.getPlain();
        long until = Math.min(published.getAcquire(), from + most);
        for (long i = from; i < until; i++) {
            consumer.accept(slots[(int) i & mask]);
        }
        consumed.setRelease(until);
        return (int) (until - from);
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
