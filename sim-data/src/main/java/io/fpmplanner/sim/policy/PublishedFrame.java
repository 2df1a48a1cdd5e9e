/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.publish.ForwardPassMetrics;

/**
 * A frame as a subscriber got it. Immutable.
 *
 * @param poolId pool of the publishing engine
 * @param endpoint where the engine publishes
 * @param sequence number of the message on its socket, from 0
 * @param publishedNanos when, on the simulation's clock
 * @param metrics what it says; {@link io.fpmplanner.sim.publish.ForwardPassEncoder} makes the bytes of it
 */
public record PublishedFrame(
        String poolId, String endpoint, long sequence, long publishedNanos, ForwardPassMetrics metrics) {}
