/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.OptionalDouble;

/**
 * What one replica of a pool occupies.
 *
 * @param gpuType name of its GPUs, for budgets and people; may be empty
 * @param gpus GPUs of a replica; 1 to 1024
 * @param costPerGpuHour price of such a GPU, in any currency, the same for all pools; &gt; 0; empty when not given: such a
 *     pool is never weighed against variants of its model on other GPUs
 */
public record ReplicaCost(String gpuType, int gpus, OptionalDouble costPerGpuHour) {
    public ReplicaCost {
        Checks.between("perReplica", gpus, 1, 1024);
        costPerGpuHour.ifPresent(cost -> Checks.positive("costPerHour", cost));
    }

    /** One GPU of unknown type and price. */
    public static ReplicaCost one() {
        return new ReplicaCost("", 1, OptionalDouble.empty());
    }

    /** Price of a replica for an hour; empty when not known. */
    public OptionalDouble perHour() {
        return costPerGpuHour.isPresent() ? OptionalDouble.of(gpus * costPerGpuHour.getAsDouble()) : costPerGpuHour;
    }
}
