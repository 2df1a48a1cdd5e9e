/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.EventEnvelope;
import io.fpmplanner.core.fpm.EventEnvelopeDecoder;
import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.zmtp.ZmtpMessage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads what publishers of Dynamo's event plane send, directly or through a broker: topic or subject, publisher id and
 * sequence as 8 bytes big-endian each, and the envelope behind its prefix.
 *
 * <p>A publisher numbers its events across all its ranks, so gaps here are losses of the endpoint; a rank's own show in the
 * {@code counter_id} of its payloads.
 */
final class EventPlaneReader implements MessageReader {
    private static final int PARTS = 4;
    private static final byte[] TOPIC = EventEnvelope.FORWARD_PASS_TOPIC.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOAD_TOPIC = EventEnvelope.LOAD_TOPIC.getBytes(StandardCharsets.US_ASCII);
    /** Publishers whose numbering is followed; of more the longest silent ones are forgotten. */
    private static final int MOST_PUBLISHERS = 4_096;

    private final FrameIntake intake;
    private final EventEnvelopeDecoder decoder = new EventEnvelopeDecoder();
    private final EventEnvelope envelope = new EventEnvelope();
    private final Map<Long, long[]> sequences = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, long[]> eldest) {
            return size() > MOST_PUBLISHERS;
        }
    };

    EventPlaneReader(FrameIntake intake) {
        this.intake = intake;
    }

    @Override
    public void read(EndpointLedger from, ZmtpMessage message) {
        int last = message.parts() - 1;
        if (message.parts() != PARTS) {
            refuse(from, RejectReason.BAD_MULTIPART, message, last);
        } else if (message.endsWith(0, TOPIC) || message.endsWith(0, LOAD_TOPIC)) {
            readEvent(from, message, last);
        } else {
            from.countIgnored();
        }
    }

    private void readEvent(EndpointLedger from, ZmtpMessage message, int last) {
        long publisher = message.number(1);
        long sequence = message.number(2);
        if (publisher < 0 || sequence < 0) {
            refuse(from, publisher < 0 ? RejectReason.BAD_MULTIPART : RejectReason.BAD_SEQUENCE, message, last);
            return;
        }
        RejectReason reason =
                decoder.decodePrefixed(message.buffer(), message.offset(last), message.length(last), envelope);
        if (reason == null && (envelope.publisherId() != publisher || envelope.sequence() != sequence)) {
            reason = RejectReason.BAD_ENVELOPE;
        }
        if (reason != null) {
            refuse(from, reason, message, last);
            return;
        }
        follow(from, publisher, sequence);
        if (envelope.carriesForwardPass()) {
            intake.event(from, envelope);
        } else if (envelope.carriesLoad()) {
            intake.load(from, envelope);
        } else {
            from.countIgnored();
        }
    }

    /** The first number of a publisher says nothing, and one that does not rise means that it began anew. */
    private void follow(EndpointLedger from, long publisher, long sequence) {
        long[] previous = sequences.get(publisher);
        if (previous == null) {
            sequences.put(publisher, new long[] {sequence});
            return;
        }
        if (sequence > previous[0] + 1) {
            from.countLost(sequence - previous[0] - 1);
        }
        previous[0] = sequence;
    }

    private void refuse(EndpointLedger from, RejectReason reason, ZmtpMessage message, int part) {
        intake.refuse(from, reason, message.buffer(), message.offset(part), message.length(part));
    }
}
