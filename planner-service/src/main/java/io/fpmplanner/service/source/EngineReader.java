/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import io.fpmplanner.service.zmtp.ZmtpMessage;

/** Reads what engines and relays publish: an empty topic, the sequence as 8 bytes big-endian, the payload. */
final class EngineReader implements MessageReader {
    private static final int PARTS = 3;

    private final FrameIntake intake;

    EngineReader(FrameIntake intake) {
        this.intake = intake;
    }

    @Override
    public void read(EndpointLedger from, ZmtpMessage message) {
        int last = message.parts() - 1;
        int offset = message.offset(last);
        int length = message.length(last);
        if (message.parts() != PARTS || message.length(0) != 0) {
            intake.refuse(from, RejectReason.BAD_MULTIPART, message.buffer(), offset, length);
            return;
        }
        long sequence = message.number(1);
        if (sequence < 0) {
            intake.refuse(from, RejectReason.BAD_SEQUENCE, message.buffer(), offset, length);
        } else {
            intake.payload(from, sequence, message.buffer(), offset, length);
        }
    }
}
