/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.metrics;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.RankCounters;
import io.fpmplanner.core.pool.RankView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Totals per pool of what is counted per rank. They never fall, although ranks that are long gone are forgotten.
 *
 * <p>Updated by the planner's event loop once per tick; {@link #of} may be called from any thread.
 */
public final class RankTotals {
    private static final RankCounters NOTHING = new RankCounters(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private record Key(String pool, String endpoint, long publisherId, String workerId, int dpRank) {}

    /** What was counted in one pool since the start. */
    record Totals(long heartbeats, long stepsLearned, long framesLost, long restarts) {
        static final Totals NONE = new Totals(0, 0, 0, 0);

        Totals plus(RankCounters now, RankCounters before) {
            return new Totals(
                    heartbeats + rise(now.heartbeats(), before.heartbeats()),
                    stepsLearned + rise(now.stepsLearned(), before.stepsLearned()),
                    framesLost + rise(now.framesLost(), before.framesLost()),
                    restarts + rise(now.restarts(), before.restarts()));
        }

        private static long rise(long now, long before) {
            // A rank that was forgotten and came back counts from 0 again.
            return now >= before ? now - before : now;
        }
    }

    private Map<Key, RankCounters> previous = Map.of();
    private volatile Map<String, Totals> totals = Map.of();

    /** Adds what the plan's ranks have counted since the plan before. */
    public void update(PlanView plan) {
        Map<Key, RankCounters> current = new HashMap<>();
        Map<String, Totals> sums = new HashMap<>(totals);
        for (PoolPlan pool : plan.pools()) {
            List<RankView> ranks = pool.pool().workers().stream()
                    .flatMap(worker -> worker.ranks().stream())
                    .toList();
            Totals sum = sums.getOrDefault(pool.id(), Totals.NONE);
            for (RankView rank : ranks) {
                Key key = new Key(pool.id(), rank.endpoint(), rank.publisherId(), rank.workerId(), rank.dpRank());
                sum = sum.plus(rank.counters(), previous.getOrDefault(key, NOTHING));
                current.put(key, rank.counters());
            }
            sums.put(pool.id(), sum);
        }
        previous = current;
        totals = Map.copyOf(sums);
    }

    Totals of(String poolId) {
        return totals.getOrDefault(poolId, Totals.NONE);
    }
}
