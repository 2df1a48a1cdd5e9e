/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.http;

import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.planner.PlanBoard;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.service.config.ServiceConfig;
import io.fpmplanner.service.source.EndpointStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What readers may see of the running service. Threadsafe.
 *
 * @param config the configuration in force
 * @param board where plans are published
 * @param endpoints status of all endpoints now
 * @param receiving whether the sources' threads run
 * @param nanoClock nanoseconds since the Unix epoch, never going back
 * @param predictor the planner's own, which has worked out its newest plan already
 */
public record ServiceView(
        ServiceConfig config,
        PlanBoard board,
        Supplier<List<EndpointStatus>> endpoints,
        Supplier<Boolean> receiving,
        LongSupplier nanoClock,
        LatencyPredictor predictor) {
    /** A plan this many ticks old, but at least {@link #LEAST_STALL_SECONDS}, means that planning has stalled. */
    private static final int STALLED_TICKS = 10;

    private static final double LEAST_STALL_SECONDS = 10;

    /** What hangs on the board before the first tick. */
    public static final PlanView NO_PLAN = new PlanView(0, List.of());

    /** The newest plan; empty before the first tick. */
    public Optional<PlanView> plan() {
        PlanView plan = board.current();
        return plan.pools().isEmpty() ? Optional.empty() : Optional.of(plan);
    }

    /** Seconds since that plan was made. */
    public double ageSeconds(PlanView plan) {
        return Math.max(0, (nanoClock.getAsLong() - plan.nowNanos()) / 1e9);
    }

    /** Whether plans come no more though they did. */
    public boolean stalled() {
        double limit = Math.max(LEAST_STALL_SECONDS, STALLED_TICKS * config.tickSeconds());
        return plan().map(plan -> ageSeconds(plan) > limit).orElse(false);
    }

    /** The newest plan; a 503 before the first tick. */
    public PlanView requirePlan() {
        return plan().orElseThrow(() -> Problem.of(503, "the first plan is not made yet; try again in a second"));
    }

    /** The pool of that id in a plan; a 404 if there is none. */
    public static PoolPlan requirePool(PlanView plan, String id) {
        return plan.pool(id).orElseThrow(() -> {
            String known = plan.pools().stream().map(PoolPlan::id).limit(20).collect(Collectors.joining(", "));
            return Problem.of(404, "there is no pool '" + id + "'; there are " + known);
        });
    }

    /** The place of a pool in the order of configuration. */
    public int index(PoolPlan pool) {
        List<PoolPlan> pools = requirePlan().pools();
        for (int i = 0; i < pools.size(); i++) {
            if (pools.get(i).id().equals(pool.id())) {
                return i;
            }
        }
        throw Problem.of(404, "there is no pool '" + pool.id() + "'");
    }
}
