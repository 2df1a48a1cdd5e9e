/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

/**
 * What one pool should have. Immutable.
 *
 * @param poolId the pool
 * @param desired replicas ready and starting together; clipped to the pool's bounds by whoever carries it out
 * @param reason why, as a sentence for people
 */
public record PoolDecision(String poolId, int desired, String reason) {}
