/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.publish.ForwardPassMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The newest frame of each worker of a pool, out of those since the last decision. */
final class NewestFrames {
    private NewestFrames() {}

    static List<ForwardPassMetrics> of(FleetObservation observation, String poolId) {
        Map<String, ForwardPassMetrics> newest = new LinkedHashMap<>();
        for (PublishedFrame frame : observation.frames()) {
            if (frame.poolId().equals(poolId)) {
                newest.put(frame.metrics().workerId(), frame.metrics());
            }
        }
        return List.copyOf(newest.values());
    }
}
