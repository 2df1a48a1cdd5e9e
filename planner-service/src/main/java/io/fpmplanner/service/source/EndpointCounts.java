/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.EnumMap;
import java.util.Map;

/**
 * What was counted at an endpoint since it was first known.
 *
 * @param framesReceived messages accepted as frames, or as reports where a source is for these
 * @param framesDropped of these, the ones lost because the planner did not keep up, the oldest that waited
 * @param framesLost messages missing by gaps in the numbering of the transport, where it has one of its own; gaps in
 *     the numbering of a rank are counted there
 * @param messagesIgnored messages that are meant for others, such as other topics of an event plane
 * @param rejected messages that were no frames, by reason; reasons that never occurred are absent
 * @param protocolErrors connections given up because of a breach of the protocol or of a limit
 * @param connects times it was connected
 */
public record EndpointCounts(
        long framesReceived,
        long framesDropped,
        long framesLost,
        long messagesIgnored,
        Map<RejectReason, Long> rejected,
        long protocolErrors,
        long connects) {
    /** Nothing counted yet. */
    public static final EndpointCounts NONE = new EndpointCounts(0, 0, 0, 0, Map.of(), 0, 0);

    public EndpointCounts {
        rejected = Map.copyOf(rejected);
    }

    /** Both together. */
    public EndpointCounts plus(EndpointCounts other) {
        Map<RejectReason, Long> sum = new EnumMap<>(RejectReason.class);
        sum.putAll(rejected);
        other.rejected.forEach((reason, count) -> sum.merge(reason, count, Long::sum));
        return new EndpointCounts(
                framesReceived + other.framesReceived,
                framesDropped + other.framesDropped,
                framesLost + other.framesLost,
                messagesIgnored + other.messagesIgnored,
                sum,
                protocolErrors + other.protocolErrors,
                connects + other.connects);
    }
}
