/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import io.fpmplanner.core.fpm.RejectReason;
import java.util.Map;

/**
 * One address that frames come from.
 *
 * @param endpoint the address
 * @param state the best of its ranks; gone when none is left
 * @param framesReceived accepted frames
 * @param framesRefused accepted frames of new ranks beyond the cap on ranks per pool
 * @param rejected messages that were no frames, by reason
 */
public record EndpointView(
        String endpoint,
        LivenessState state,
        long framesReceived,
        long framesRefused,
        Map<RejectReason, Long> rejected) {
    public EndpointView {
        rejected = Map.copyOf(rejected);
    }
}
