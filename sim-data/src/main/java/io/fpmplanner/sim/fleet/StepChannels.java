/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.fleet;

import io.fpmplanner.sim.engine.RankIdentity;
import java.io.IOException;

/** Opens the channels of replicas as they become ready. */
@FunctionalInterface
public interface StepChannels {
    /**
     * Opens the channel of one rank of a replica that is now ready.
     *
     * @param slot place of the replica in its pool, from 0
     * @param nowNanos the time, on the simulation's clock
     * @throws IOException when the place is taken by something else; the fleet then tries the next one
     */
    StepChannel open(String poolId, int slot, RankIdentity identity, long nowNanos) throws IOException;
}
