/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service;

import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.pool.PoolView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** A plan in the making: the pools that were looked at so far. Used by one thread. */
final class Tick {
    private final long nowNanos;
    private final long startNanos = System.nanoTime();
    private final List<PoolView> views = new ArrayList<>();

    /** A plan of the given moment; pools are looked at within the next milliseconds. */
    Tick(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    void add(PoolView view) {
        views.add(view);
    }

    /** How many pools were looked at. */
    int views() {
        return views.size();
    }

    Future<PlanView> plan(PlanningThread planning) {
        return planning.plan(nowNanos, List.copyOf(views));
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }
}
