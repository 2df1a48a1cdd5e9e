/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.scaling.ScalingPolicy.Proposal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Cuts what pools ask for to the GPUs that they may have together. Not threadsafe. */
final class BudgetKeeper {
    /*
     * Nobody is made to give replicas up by a budget; only growth is cut. What is left goes replica by replica to the
     * pool that has the smallest part of what it asked for, so that the halves of a disaggregated pair grow together.
     * A replica that was given up holds its GPUs until it is drained.
     */
    private final List<PoolSettings> pools;
    private final List<GpuBudget> budgets;
    private final List<Deque<Drain>> draining = new ArrayList<>();
    private final int[] before;

    BudgetKeeper(List<PoolSettings> pools, List<GpuBudget> budgets) {
        this.pools = List.copyOf(pools);
        this.budgets = List.copyOf(budgets);
        this.before = new int[pools.size()];
        pools.forEach(pool -> draining.add(new ArrayDeque<>()));
    }

    private record Drain(long untilNanos, int replicas) {}

    void cut(Proposal[] proposals) {
        if (budgets.isEmpty()) {
            return;
        }
        int[] granted = new int[proposals.length];
        long[] left = left(proposals, granted);
        int next = mostInNeed(proposals, granted, left);
        while (next >= 0) {
            granted[next]++;
            spend(next, 1, left);
            next = mostInNeed(proposals, granted, left);
        }
        for (int i = 0; i < proposals.length; i++) {
            Verdict verdict = proposals[i].verdict();
            if (verdict.desired().isPresent() && granted[i] < verdict.desired().getAsInt()) {
                proposals[i] = proposals[i].with(verdict.limited(granted[i], LimitingFactor.GPU_BUDGET));
            }
        }
    }

    /** Grants all what they have already, or less if they ask for less; returns what is left of each budget. */
    private long[] left(Proposal[] proposals, int[] granted) {
        long[] left = new long[budgets.size()];
        for (int b = 0; b < left.length; b++) {
            left[b] = budgets.get(b).maxGpus();
        }
        for (int i = 0; i < proposals.length; i++) {
            int has = proposals[i].ordered();
            granted[i] = Math.min(has, proposals[i].verdict().desired().orElse(has));
            long now = proposals[i].grounds().situation().pool().nowNanos();
            spend(i, granted[i] + drainingAt(i, now), left);
        }
        return left;
    }

    private void spend(int pool, int replicas, long[] left) {
        for (int b = 0; b < left.length; b++) {
            if (budgets.get(b).covers(pools.get(pool))) {
                left[b] -= (long) replicas * pools.get(pool).scaling().cost().gpus();
            }
        }
    }

    private int mostInNeed(Proposal[] proposals, int[] granted, long[] left) {
        int neediest = -1;
        double least = 1;
        for (int i = 0; i < proposals.length; i++) {
            int wanted = proposals[i].verdict().desired().orElse(0);
            double share = wanted <= 0 ? 1 : (double) granted[i] / wanted;
            if (share < least && fits(i, left)) {
                least = share;
                neediest = i;
            }
        }
        return neediest;
    }

    private boolean fits(int pool, long[] left) {
        for (int b = 0; b < left.length; b++) {
            if (budgets.get(b).covers(pools.get(pool))
                    && left[b] < pools.get(pool).scaling().cost().gpus()) {
                return false;
            }
        }
        return true;
    }

    private int drainingAt(int pool, long nowNanos) {
        Deque<Drain> drains = draining.get(pool);
        while (!drains.isEmpty() && drains.getFirst().untilNanos() <= nowNanos) {
            drains.removeFirst();
        }
        return drains.stream().mapToInt(Drain::replicas).sum();
    }

    /** Takes note of what is recommended in the end. */
    void settled(Proposal[] proposals) {
        if (budgets.isEmpty()) {
            return;
        }
        for (int i = 0; i < proposals.length; i++) {
            int now = proposals[i].verdict().desired().orElse(before[i]);
            double drainSeconds = pools.get(i).scaling().pace().drainSeconds();
            if (now < before[i] && drainSeconds > 0) {
                long nowNanos = proposals[i].grounds().situation().pool().nowNanos();
                draining.get(i).addLast(new Drain(nowNanos + (long) (drainSeconds * 1e9), before[i] - now));
            }
            before[i] = now;
        }
    }
}
