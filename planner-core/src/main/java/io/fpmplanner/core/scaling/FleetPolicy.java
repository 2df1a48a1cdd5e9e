/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.scaling;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.SuppliedForecast;
import io.fpmplanner.core.scaling.ScalingPolicy.Proposal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many replicas each pool should have, once per tick, within what pools share: GPU budgets, and the demand
 * for one model that is served on several types of GPU.
 *
 * <p>One writer, not threadsafe. It reads no clock: the same views in the same order give the same decisions.
 */
public final class FleetPolicy {
    private final List<ScalingPolicy> policies = new ArrayList<>();
    private final List<Integer> following = new ArrayList<>();
    private final List<Integer> order = new ArrayList<>();
    private final BudgetKeeper budgets;
    private final VariantChooser variants;

    /**
     * A policy for pools that are named by their index from now on.
     *
     * @param budgets GPUs that pools may have together
     */
    public FleetPolicy(List<PoolSettings> pools, List<GpuBudget> budgets) {
        pools.forEach(pool -> policies.add(new ScalingPolicy(pool)));
        this.budgets = new BudgetKeeper(pools, budgets);
        this.variants = new VariantChooser(pools);
    }

    /** From now on requests that arrive at the prefill pool go on to the decode pool. */
    public void pair(int prefill, int decode) {
        policies.get(decode).follow(policies.get(prefill));
        following.add(decode);
    }

    /**
     * Says how many requests wait in front of a pool, at a gateway say; that alone can wake a pool that has no replicas.
     *
     * @param requests &ge; 0
     * @param validUntilNanos end of it, on the caller's clock
     */
    public void supplyQueue(int pool, double requests, long validUntilNanos) {
        if (!(requests >= 0)) {
            throw new IllegalArgumentException("requests must be at least 0, was " + requests);
        }
        policies.get(pool).supplyQueue(requests, validUntilNanos);
    }

    /** Says what requests are expected to come to a pool, in the place of its own trend; null to withdraw it. */
    public void supplyForecast(int pool, @Nullable SuppliedForecast forecast) {
        policies.get(pool).supplyForecast(forecast);
    }

    /**
     * Decides on all pools as they are now; each tick's views exactly once.
     *
     * @param views by index
     * @param latencies what a typical request would see in each
     */
    public List<Recommendation> decide(List<PoolView> views, List<LatencyPrediction> latencies) {
        if (order.isEmpty()) {
            setOrder();
        }
        Proposal[] proposals = new Proposal[policies.size()];
        for (int pool : order) {
            proposals[pool] = policies.get(pool).propose(views.get(pool), latencies.get(pool));
        }
        variants.shift(proposals);
        budgets.cut(proposals);
        List<Recommendation> recommendations = new ArrayList<>();
        for (int pool = 0; pool < proposals.length; pool++) {
            recommendations.add(policies.get(pool).settle(proposals[pool]));
        }
        budgets.settled(proposals);
        return recommendations;
    }

    /** What should outlive a restart, of one pool. */
    public FleetMemory memory(int pool) {
        return policies.get(pool).memory();
    }

    /**
     * Goes on from before a restart; to be called before the first decision. It can make a fleet keep its size, never shrink:
     * what sufficed must be seen anew for the whole stabilisation time.
     *
     * @param isFleetKnown whether it is young enough to tell what is ordered and there
     */
    public void restore(int pool, FleetMemory memory, boolean isFleetKnown) {
        policies.get(pool).restore(memory, isFleetKnown);
    }

    /** A decode pool comes after the pool whose arrivals will be its own. */
    private void setOrder() {
        for (int pool = 0; pool < policies.size(); pool++) {
            if (!following.contains(pool)) {
                order.add(pool);
            }
        }
        order.addAll(following);
    }
}
