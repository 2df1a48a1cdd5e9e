/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * One replica more while requests queue, one less while none do: the plainest autoscaler there is.
 *
 * <p>Without figures it keeps what there is.
 */
public final class ReactiveThreshold implements Autoscaler {
    /* As "reactive" in NVIDIA's Planner Gym: every 15 s, more than 4 waiting adds one, fewer than 1 takes one away. */
    private static final int INTERVAL_SECONDS = 15;
    private static final int UP_ABOVE = 4;
    private static final int DOWN_BELOW = 1;

    @Override
    public int intervalSeconds() {
        return INTERVAL_SECONDS;
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        List<PoolDecision> decisions = new ArrayList<>();
        for (PoolObservation pool : observation.pools()) {
            pool.load().ifPresent(load -> {
                int change = load.waiting() > UP_ABOVE ? 1 : load.waiting() < DOWN_BELOW ? -1 : 0;
                decisions.add(new PoolDecision(pool.id(), pool.ordered() + change, load.waiting() + " requests wait"));
            });
        }
        return decisions;
    }
}
