/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.chaos;

import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.scaling.Recommendation;
import io.fpmplanner.core.scaling.ScalingStatus;
import io.fpmplanner.models.Evidence;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks at each plan of an arena and remembers what was said. One thread. */
final class Watch {
    private static final long LOOK_MILLIS = 20;

    private final Arena arena;
    private Set<String> seen = new TreeSet<>();
    private long lastPlanNanos;
    private long plans;
    private long tooFew;
    private String firstTooFew = "";

    Watch(Arena arena) {
        this.arena = arena;
    }

    /** Forgets what was seen. */
    void clear() {
        seen = new TreeSet<>();
        plans = 0;
        tooFew = 0;
        firstTooFew = "";
    }

    /** Statuses and reasons, each once. */
    Set<String> seen() {
        return seen;
    }

    /** Plans made. */
    long plans() {
        return plans;
    }

    /** Plans that recommend fewer replicas than are needed and there. */
    long tooFew() {
        return tooFew;
    }

    /** The first of them in the planner's words; empty if there was none. */
    String firstTooFew() {
        return firstTooFew;
    }

    /** Looks for so long, or until the pool is well; returns the seconds that took, or the time if it is not. */
    double untilWell(double mostSeconds) throws InterruptedException {
        long start = System.nanoTime();
        while (!(look() && isWell()) && seconds(start) < mostSeconds) {
            Thread.sleep(LOOK_MILLIS);
        }
        return seconds(start);
    }

    /** Looks for so long. */
    void during(double seconds) throws InterruptedException {
        long start = System.nanoTime();
        while (seconds(start) < seconds) {
            look();
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Takes note of a plan not seen before; whether there was one. */
    private boolean look() {
        long nanos = arena.planNanos();
        Optional<PoolPlan> plan = arena.plan();
        if (nanos == lastPlanNanos || plan.isEmpty()) {
            return false;
        }
        lastPlanNanos = nanos;
        plans++;
        Recommendation said = plan.get().recommendation();
        seen.add(said.status() + "/" + said.reason());
        if (said.desired().isPresent() && said.desired().getAsInt() < Arena.REPLICAS) {
            tooFew++;
            firstTooFew = firstTooFew.isEmpty() ? said.desired().getAsInt() + ": " + said.message() : firstTooFew;
        }
        return true;
    }

    private boolean isWell() {
        return lack().isEmpty();
    }

    /** What the newest plan lacks of a decision on full evidence of the whole fleet, in words; empty if nothing. */
    String lack() {
        PoolPlan plan = arena.plan().orElseThrow();
        Evidence evidence = plan.pool().evidence();
        int live = plan.pool().fleet().live();
        if (plan.recommendation().status() == ScalingStatus.UNDECIDED) {
            return plan.recommendation().reason().toString();
        }
        if (evidence != Evidence.READY && evidence != Evidence.EXTRAPOLATING) {
            return "evidence " + evidence;
        }
        return live == Arena.REPLICAS ? "" : live + " workers live";
    }
}
