/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

/** What kind of requests come to one of maybe thousands of ranks, over windows that fade. Not threadsafe. */
final class RankTraffic {
    private final Role role;
    private final FadingFlows ticks = new FadingFlows(TrafficRow.COLUMNS);
    private double runningBefore;

    RankTraffic(Role role) {
        this.role = role;
    }

    /** Adds a tick of a live rank that leaves so many requests decoding. */
    void add(PoolTick tick, TickTotals totals, double running) {
        ticks.add(tick.nowNanos, tick.row.fill(tick.tickNanos, totals, tick.rankGrowth, running - runningBefore));
        runningBefore = running;
    }

    RankWorkload workload(FlowBalance.Moment now) {
        return new RankWorkload(new FlowBalance(role, ticks.copy()), now);
    }
}
