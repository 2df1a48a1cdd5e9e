/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/** How requests are spread over the ready replicas of a pool. */
public enum Router {
    /** In turn. */
    ROUND_ROBIN,
    /** To the replica with the fewest requests inside, the oldest of several. */
    LEAST_LOADED
}
