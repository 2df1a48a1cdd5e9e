/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Counts what is found while a recording is read. Not threadsafe. */
final class ReportCounter {
    private final Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);
    private OptionalLong firstRejectedLine = OptionalLong.empty();
    private long frames;
    private long damagedRecords;
    private boolean torn;

    void frame() {
        frames++;
    }

    long frames() {
        return frames;
    }

    void rejected(RejectReason reason) {
        rejected.merge(reason, 1L, Long::sum);
    }

    void rejected(RejectReason reason, long line) {
        rejected(reason);
        if (firstRejectedLine.isEmpty()) {
            firstRejectedLine = OptionalLong.of(line);
        }
    }

    void damaged() {
        damagedRecords++;
    }

    void torn() {
        torn = true;
    }

    RecordingReport report() {
        return new RecordingReport(frames, rejected, firstRejectedLine, damagedRecords, torn);
    }
}
