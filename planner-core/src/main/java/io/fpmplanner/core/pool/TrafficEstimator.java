/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.pool;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Infers what kind of requests come to a pool from what its engines did, by balance of flows over a long window. Not
 * threadsafe.
 */
final class TrafficEstimator {
    private final Flows ticks = new WindowFlows(TrafficRow.COLUMNS);
    private final FlowBalance balance;
    private final TrafficRow row = new TrafficRow();
    private final Imbalance imbalance = new Imbalance();
    private final PromptLengths lengths = new PromptLengths();
    private double runningBefore;
    /** Worked out when first asked for after something was added. */
    private PoolLoad.@Nullable Traffic known;

    TrafficEstimator(Role role) {
        this.balance = new FlowBalance(role, ticks);
    }

    /**
     * Adds one tick.
     *
     * @param growth change of the queues: prompt tokens, prompts, requests waiting to decode
     */
    void add(long nowNanos, long tickNanos, TickTotals totals, double[] growth, double running) {
        ticks.add(nowNanos, row.fill(tickNanos, totals, growth, running - runningBefore));
        runningBefore = running;
        known = null;
        lengths.add(totals.promptLengths, tickNanos / 1e9);
    }

    /** Takes the requests inside each live rank: their number, sum and sum of squares. */
    void addInside(int ranks, double sum, double squares) {
        known = null;
        imbalance.add(ranks, sum, squares);
    }

    PoolLoad.Traffic traffic() {
        PoolLoad.Traffic traffic = known;
        if (traffic == null) {
            traffic = balance.traffic(
                    imbalance.value(),
                    /* Prompts that wait, if many do, tell their mean and deviation only. */
                    balance.isTakenFromWaiting() ? Optional.empty() : lengths.withMean(balance.fullInputTokens()));
            known = traffic;
        }
        return traffic;
    }

    /** The same with errors. */
    WorkloadView workload(FlowBalance.Moment now) {
        return balance.workload(traffic(), now);
    }
}
