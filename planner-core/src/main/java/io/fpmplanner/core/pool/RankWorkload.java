/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The workload of one rank, which is worked out when somebody asks for it: ranks are many and few ask. Immutable and
 * threadsafe.
 */
public final class RankWorkload {
    private final FlowBalance balance;
    private final FlowBalance.Moment moment;

    RankWorkload(FlowBalance balance, FlowBalance.Moment moment) {
        this.balance = balance;
        this.moment = moment;
    }

    /** The workload as frames tell it. */
    public WorkloadView view() {
        return balance.workload(balance.traffic(OptionalDouble.empty(), Optional.empty()), moment);
    }

    /** Tokens that fit in the KV cache. */
    Quantity kvCapacityTokens() {
        return moment.kvCapacity();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RankWorkload workload && view().equals(workload.view());
    }

    @Override
    public int hashCode() {
        return view().hashCode();
    }
}
