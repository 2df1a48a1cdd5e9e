/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalInt;

/**
 * What an orchestrator, or whoever else carries out orders, says of the replicas of a pool; wins over what frames tell.
 *
 * @param ready replicas that serve, &ge; 0
 * @param pending replicas that were ordered and do not serve yet, &ge; 0; empty if it does not say: then what is missing
 *     from desired, or from what was recommended, is taken to be starting
 * @param desired replicas that it is to have, &ge; 0; empty if it does not say: then what was recommended is taken for
 *     ordered
 * @param validUntilNanos forgotten after that moment, on the caller's clock
 */
public record SuppliedFleet(int ready, OptionalInt pending, OptionalInt desired, long validUntilNanos) {
    public SuppliedFleet {
        Checks.atLeast("ready", ready, 0);
        pending.ifPresent(value -> Checks.atLeast("pending", value, 0));
        desired.ifPresent(value -> Checks.atLeast("desired", value, 0));
    }
}
