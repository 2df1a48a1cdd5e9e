/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.source;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.Map;

/**
 * One endpoint at one moment.
 *
 * @param poolIndex the pool it belongs to, by order of configuration
 * @param source the configured entry that led to it
 * @param endpoint address it is connected to, {@code tcp://IP:PORT}; with the name while there is no address
 * @param state how far the way is open
 * @param framesReceived messages accepted as frames
 * @param framesDropped frames lost because the planner did not keep up
 * @param rejected messages that were no frames, by reason; reasons that never occurred are absent
 * @param protocolErrors connections given up because of a breach of ZMTP or of the limit on message size
 * @param connects times it was connected
 */
public record EndpointStatus(
        int poolIndex,
        String source,
        String endpoint,
        EndpointState state,
        long framesReceived,
        long framesDropped,
        Map<RejectReason, Long> rejected,
        long protocolErrors,
        long connects) {
    public EndpointStatus {
        rejected = Map.copyOf(rejected);
    }
}
