/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.List;
import java.util.Optional;

/**
 * What an autoscaler can know at one moment. Immutable.
 *
 * @param nowNanos the moment, on the simulation's clock
 * @param pools what the orchestrator knows, in the order of the task; it knows it in an outage of telemetry too
 * @param frontEnd what the front end counted since the last decision; empty while telemetry is out
 * @param frames what engines published since the last decision, in order of time; empty while telemetry is out, and for
 *     policies that do not read frames
 */
public record FleetObservation(
        long nowNanos, List<PoolObservation> pools, Optional<FrontEndWindow> frontEnd, List<PublishedFrame> frames) {
    public FleetObservation {
        pools = List.copyOf(pools);
        frames = List.copyOf(frames);
    }
}
