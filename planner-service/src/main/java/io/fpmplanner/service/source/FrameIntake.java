/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.core.fpm.FpmDecoder;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.core.kv.KvDecoder;
import io.fpmplanner.core.kv.KvDecoding;
import io.fpmplanner.core.kv.KvReport;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The last stretch that all sources share: stamps and decodes a message straight into a slot of the ring, counts it in
 * the ledger of its endpoint, and logs what is no frame, with its first bytes.
 *
 * <p>Used by the one thread that fills the ring. Allocates nothing per accepted frame.
 */
public final class FrameIntake {
    private static final Logger log = LoggerFactory.getLogger(FrameIntake.class);
    private static final int HEX_PREFIX_BYTES = 16;
    private static final int HEX_SAMPLE_BYTES = 64;

    private final FrameRing ring;
    private final Runnable wake;
    private final LongSupplier nanoClock;
    private final FpmDecoder decoder;
    private final KvDecoder kvDecoder = new KvDecoder();
    private final FpmFrame spare = new FpmFrame();

    /** Puts what a message says into a frame whose arrival is stamped already; null if it is one. */
    @FunctionalInterface
    public interface Reader {
        @Nullable
        RejectReason read(FpmFrame into);

        /** After reading, the msgpack payload that was read or that stands for it; empty if there is none. */
        default byte[] payload() {
            return NOTHING;
        }

        /** After a refusal, the field that was no good; empty if it was no single one's fault. */
        default String refusedField() {
            return "";
        }
    }

    /**
     * Feeds one ring.
     *
     * @param wake called by {@link #flush}
     * @param maxFrameBytes largest payload that is decoded
     * @param nanoClock stamps arrivals: nanoseconds since the Unix epoch that never go back
     */
    public FrameIntake(FrameRing ring, Runnable wake, int maxFrameBytes, LongSupplier nanoClock) {
        this.ring = ring;
        this.wake = wake;
        this.nanoClock = nanoClock;
        this.decoder = new FpmDecoder(maxFrameBytes);
    }

    /**
     * Takes a msgpack payload.
     *
     * @param sequence the number the transport gave it, or {@link FpmFrame#NO_SEQUENCE}
     * @return whether it was a frame
     */
    public boolean payload(EndpointLedger from, long sequence, byte[] buffer, int offset, int length) {
        FrameRing.@Nullable Slot slot = ring.claim();
        FpmFrame frame = stamped(from, slot);
        frame.sequence(sequence);
        ring.tap().message(frame, buffer, offset, length);
        RejectReason reason = admitted(from, frame, decoder.decode(buffer, offset, length, frame));
        hand(from, slot, reason);
        if (reason != null) {
            reject(from, reason, new Message(buffer, offset, length, fieldOf(reason)));
        }
        return reason == null;
    }

    /**
     * Takes the payload of an event, whose publisher becomes part of the rank's identity.
     *
     * @return whether it was a frame
     */
    public boolean event(EndpointLedger from, EventEnvelope event) {
        FrameRing.@Nullable Slot slot = ring.claim();
        FpmFrame frame = stamped(from, slot).publisherId(event.publisherId());
        int offset = event.payloadOffset();
        int length = event.payloadLength();
        ring.tap().message(frame, event.buffer(), offset, length);
        RejectReason reason = admitted(from, frame, decoder.decode(event.buffer(), offset, length, frame));
        hand(from, slot, reason);
        if (reason != null) {
            reject(from, reason, new Message(event.buffer(), offset, length, fieldOf(reason)));
        }
        return reason == null;
    }

    /**
     * Takes the payload of an event about KV cache and load.
     *
     * @return whether it was a report
     */
    public boolean load(EndpointLedger from, EventEnvelope event) {
        int offset = event.payloadOffset();
        int length = event.payloadLength();
        KvDecoding decoding = kvDecoder.decodeActiveLoad(event.buffer(), offset, length);
        return report(from, from.endpoint(), decoding, event.buffer(), offset, length);
    }

    /**
     * Takes a frame that the reader fills, sequence included if there is one.
     *
     * @return whether it was a frame; if not, it was counted and the caller may log it
     */
    public boolean frame(EndpointLedger from, Reader reader) {
        FrameRing.@Nullable Slot slot = ring.claim();
        FpmFrame frame = stamped(from, slot);
        RejectReason reason = admitted(from, frame, reader.read(frame));
        byte[] payload = reader.payload();
        ring.tap().message(frame, payload, 0, payload.length);
        hand(from, slot, reason);
        if (reason != null) {
            reject(from, reason, new Message(NOTHING, 0, 0, reader::refusedField));
        }
        return reason == null;
    }

    /**
     * Takes what came of a message about KV cache and load.
     *
     * @param endpoint address of the engine, which may be another than that of the ledger
     * @return whether it was a report
     */
    public boolean report(
            EndpointLedger from, String endpoint, KvDecoding decoding, byte[] buffer, int offset, int length) {
        if (decoding instanceof KvDecoding.Rejected rejected) {
            refuse(from, rejected.reason(), buffer, offset, length);
            return false;
        }
        KvReport report = ((KvDecoding.Accepted) decoding).report();
        from.countReceived();
        FrameRing.@Nullable Slot slot = ring.claim();
        if (slot == null) {
            from.countDropped();
            return true;
        }
        slot.frame().arrival(endpoint, FpmFrame.NO_SEQUENCE, nanoClock.getAsLong());
        slot.from(from).setReport(from.poolIndex(), report);
        ring.publish();
        return true;
    }

    private static final byte[] NOTHING = {};

    /** Counts a message that is no frame before anything could be decoded; the bytes are for the log. */
    public void refuse(EndpointLedger from, RejectReason reason, byte[] buffer, int offset, int length) {
        FrameRing.@Nullable Slot slot = ring.claim();
        ring.tap().message(stamped(from, slot), buffer, offset, length);
        hand(from, slot, reason);
        reject(from, reason, new Message(buffer, offset, length, FrameIntake::noField));
    }

    private FpmFrame stamped(EndpointLedger from, FrameRing.@Nullable Slot slot) {
        FpmFrame frame = slot == null ? spare : slot.frame();
        return frame.arrival(from.endpoint(), FpmFrame.NO_SEQUENCE, nanoClock.getAsLong());
    }

    private @Nullable RejectReason admitted(EndpointLedger from, FpmFrame frame, @Nullable RejectReason reason) {
        return reason != null || ring.workers().permit(from.poolIndex(), frame) ? reason : RejectReason.UNKNOWN_WORKER;
    }

    private void hand(EndpointLedger from, FrameRing.@Nullable Slot slot, @Nullable RejectReason reason) {
        if (reason == null) {
            from.countReceived();
        }
        if (slot != null) {
            slot.from(from).set(from.poolIndex(), reason);
            ring.publish();
        } else if (reason == null) {
            from.countDropped();
        }
    }

    /** What was refused, and how to find out for which field of it. */
    private static final class Message {
        private final byte[] buffer;
        private final int offset;
        private final int length;
        private final Supplier<String> field;

        Message(byte[] buffer, int offset, int length, Supplier<String> field) {
            this.buffer = buffer;
            this.offset = offset;
            this.length = length;
            this.field = field;
        }

        String hex(int most) {
            return HexFormat.of().formatHex(buffer, offset, offset + Math.min(length, most));
        }
    }

    private static String noField() {
        return "";
    }

    private Supplier<String> fieldOf(RejectReason reason) {
        return reason == RejectReason.UNKNOWN_WORKER ? FrameIntake::noField : decoder::refusedField;
    }

    private void reject(EndpointLedger from, RejectReason reason, Message message) {
        long nowNanos = nanoClock.getAsLong();
        long heldBack = from.countRejected(reason, nowNanos);
        if (heldBack == Sampler.HELD_BACK) {
            return;
        }
        String field = message.field.get();
        ring.rejects()
                .keep(new RejectSample(
                        from.poolIndex(),
                        from.endpoint(),
                        reason,
                        field,
                        nowNanos,
                        message.length,
                        message.hex(HEX_SAMPLE_BYTES)));
        LoggingEventBuilder line = log.atWarn()
                .addKeyValue("endpoint", from.endpoint())
                .addKeyValue("reason", reason)
                .addKeyValue("why", reason.sentence());
        if (!field.isEmpty()) {
            line = line.addKeyValue("field", field);
        }
        line.addKeyValue("bytes", message.length)
                .addKeyValue("prefix", message.hex(HEX_PREFIX_BYTES))
                .addKeyValue("heldBack", heldBack)
                .log("message rejected");
    }

    /** Tells the planner of what was put into the ring; call it after each batch. */
    public void flush() {
        if (ring.size() > 0) {
            wake.run();
        }
    }
}
