/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What others said of a pool: it stands in the place of what frames tell until it expires or is withdrawn. */
final class ToldOfPool {
    private final Role role;
    private @Nullable SuppliedWorkload workload;
    private @Nullable SuppliedFleet fleet;

    ToldOfPool(Role role) {
        this.role = role;
    }

    /** Says what requests come; null withdraws it. */
    void workload(@Nullable SuppliedWorkload said) {
        workload = said;
    }

    /** Says what replicas there are; null withdraws it. */
    void fleet(@Nullable SuppliedFleet said) {
        fleet = said;
    }

    void forgetExpired(long nowNanos) {
        if (workload != null && nowNanos > workload.validUntilNanos()) {
            workload = null;
        }
        if (fleet != null && nowNanos > fleet.validUntilNanos()) {
            fleet = null;
        }
    }

    /** What was said of requests, if anything was. */
    Optional<SuppliedTraffic> traffic() {
        return Optional.ofNullable(workload).map(SuppliedWorkload::traffic);
    }

    PoolLoad.Traffic over(PoolLoad.Traffic inferred) {
        return workload == null ? inferred : workload.over(inferred, role);
    }

    WorkloadView over(WorkloadView inferred) {
        return workload == null ? inferred : workload.over(inferred, role);
    }

    FleetView over(FleetView seen) {
        return fleet == null
                ? seen
                : seen.withSupplied(OptionalInt.of(fleet.ready()), fleet.pending(), fleet.desired());
    }
}
