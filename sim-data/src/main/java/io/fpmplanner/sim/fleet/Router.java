/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/** How requests are spread over the ready replicas of a pool. */
public enum Router {
    /** In turn. */
    ROUND_ROBIN,
    /** To the replica with the fewest requests inside, the oldest of several. */
    LEAST_LOADED,
    /**
     * To the rank where prompt tokens still to be computed, with what its prefix cache has of this prompt left out, plus tokens of
     * KV in use are fewest: the cost function of Dynamo's KV router with weight 1.
     */
    PREFIX_AWARE
}
