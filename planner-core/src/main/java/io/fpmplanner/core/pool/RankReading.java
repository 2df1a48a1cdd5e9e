/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import org.jspecify.annotations.Nullable;

/** What one rank has to do at a tick, before it is put into its view. Lives for one tick. */
final class RankReading {
    final Rank rank;
    final LivenessState state;
    RankLoad load = RankLoad.idle(0);
    Quantity kvCapacity = Quantity.UNKNOWN;
    double gapSeconds;

    @Nullable
    KvView kv;

    RankReading(Rank rank, LivenessState state) {
        this.rank = rank;
        this.state = state;
    }

    RankView view(long nowNanos) {
        return rank.view(nowNanos, this);
    }
}
