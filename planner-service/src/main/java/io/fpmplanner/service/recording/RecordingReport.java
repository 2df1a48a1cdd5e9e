/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.recording;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What was found in a recording besides frames.
 *
 * @param frames frames read
 * @param rejected lines or messages that were no frames, by reason
 * @param firstRejectedLine line of the first of them, from 1; empty in forms without lines or if there is none
 * @param damagedRecords places where the checksum did not hold; what lies there was skipped
 * @param torn whether the file ends in the middle of a record, as after a crash or while it is still written
 */
public record RecordingReport(
        long frames,
        Map<RejectReason, Long> rejected,
        OptionalLong firstRejectedLine,
        long damagedRecords,
        boolean torn) {
    public RecordingReport {
        rejected = Map.copyOf(rejected);
    }

    /** Whether everything in the file was a frame. */
    public boolean isClean() {
        return rejected.isEmpty() && damagedRecords == 0 && !torn;
    }

    /** One clause on all that was not a frame; empty if there was nothing such. */
    public String remarks() {
        StringBuilder text = new StringBuilder();
        if (!rejected.isEmpty()) {
            text.append(", ")
                    .append(rejected.values().stream().mapToLong(n -> n).sum())
                    .append(" refused (")
                    .append(new EnumMap<>(rejected)
                            .entrySet().stream()
                                    .map(entry -> entry.getKey() + " " + entry.getValue())
                                    .collect(Collectors.joining(", ")));
            firstRejectedLine.ifPresent(
                    line -> text.append("; the first in line ").append(line));
            text.append(')');
        }
        if (damagedRecords > 0) {
            text.append(", ").append(damagedRecords).append(" damaged places skipped");
        }
        if (torn) {
            text.append(", the end is torn off");
        }
        return text.toString();
    }
}
