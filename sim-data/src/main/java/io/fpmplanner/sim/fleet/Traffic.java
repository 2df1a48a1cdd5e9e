/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.workload.RequestSource;

/**
 * Requests and the pool they enter.
 *
 * @param poolId an aggregated or a prefill-only pool
 * @param stream its requests; owned by the fleet from then on
 */
public record Traffic(String poolId, RequestSource stream) {}
