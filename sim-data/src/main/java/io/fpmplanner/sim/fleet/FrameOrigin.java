/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

/**
 * Where a frame comes from. Immutable.
 *
 * @param poolId the pool
 * @param slot place of the replica in its pool, from 0; another replica may have it later
 * @param workerId identity of the engine, new with each replica
 * @param dpRank data-parallel rank
 */
public record FrameOrigin(String poolId, int slot, String workerId, int dpRank) {
    private static final int FIRST_PORT = 20_380;

    /** The address a subscriber would have connected to, for example {@code tcp://decode-3:20380}. */
    public String endpoint() {
        return "tcp://" + poolId + "-" + slot + ":" + (FIRST_PORT + dpRank);
    }
}
