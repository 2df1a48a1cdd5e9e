/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.core.planner;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.pool.GpuBudget;
import io.fpmplanner.core.pool.PoolSettings;
import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.pool.StepListener;
import io.fpmplanner.core.pool.SuppliedFleet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The planner: takes frames as they come, and once per tick says what each pool will see and how many replicas it needs.
 *
 * <p>It has two parts with a writer each: the {@link #observer()} takes frames, the {@link #planMaker()} makes plans of
 * what was seen. On one thread {@link #tick} does both. Not threadsafe; others read the {@link PlanView}s it returns,
 * usually from a {@link PlanBoard}. It reads no clock: the same frames and ticks give the same plans.
 */
public final class Planner {
    private final List<PoolSettings> settings;
    private final PoolObserver observer;
    private final PlanMaker planMaker;

    /**
     * @param settings the pools; their index is how frames name them
     * @throws IllegalArgumentException if two pools share an id
     */
    public Planner(List<PoolSettings> settings) {
        this(settings, StepListener.NONE);
    }

    /** A planner that also shows each measured step to a listener before it is learned from. */
    public Planner(List<PoolSettings> settings, StepListener listener) {
        this(settings, poolIndex -> listener);
    }

    /** The same with a listener for each pool, by index. */
    public Planner(List<PoolSettings> settings, IntFunction<StepListener> listeners) {
        this(settings, List.of(), listeners);
    }

    /**
     * A planner whose pools share GPUs.
     *
     * @param budgets GPUs that pools may have together
     * @param listeners shown each measured step of a pool, by index
     */
    public Planner(List<PoolSettings> settings, List<GpuBudget> budgets, IntFunction<StepListener> listeners) {
        Set<String> ids = new HashSet<>();
        for (PoolSettings pool : settings) {
            if (!ids.add(pool.id())) {
                throw new IllegalArgumentException("two pools have the id '" + pool.id() + "'");
            }
        }
        this.settings = List.copyOf(settings);
        this.observer = new PoolObserver(settings, listeners);
        this.planMaker = new PlanMaker(settings, budgets);
    }

    /** What takes frames. */
    public PoolObserver observer() {
        return observer;
    }

    /** What makes plans. */
    public PlanMaker planMaker() {
        return planMaker;
    }

    /** What should outlive a restart. Allocates some 30 kB a pool; meant to be called every few seconds. */
    public PlannerMemory memory(long nowNanos) {
        return planMaker.memory(nowNanos, observer.memory());
    }

    /**
     * Goes on from before a restart; to be called before the first frame and tick.
     *
     * @param isFleetKnown whether the memory is young enough to say what was ordered and how many replicas there were
     * @return what became of each pool, in their order
     */
    public List<PlannerMemory.Outcome> restore(PlannerMemory memory, boolean isFleetKnown) {
        List<PlannerMemory.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < settings.size(); i++) {
            PoolSettings pool = settings.get(i);
            Optional<PlannerMemory.OfPool> known =
                    memory.pools().stream().filter(each -> each.isOf(pool)).findFirst();
            if (known.isEmpty()) {
                outcomes.add(PlannerMemory.Outcome.COLD);
                continue;
            }
            observer.restore(i, known.get().learned());
            planMaker.restore(i, known.get(), isFleetKnown);
            outcomes.add(outcome(known.get(), isFleetKnown));
        }
        return outcomes;
    }

    private static PlannerMemory.Outcome outcome(PlannerMemory.OfPool memory, boolean isFleetKnown) {
        if (memory.learned().models().isEmpty()) {
            return PlannerMemory.Outcome.WITHOUT_STEP_TIMES;
        }
        return isFleetKnown ? PlannerMemory.Outcome.RESTORED : PlannerMemory.Outcome.WITHOUT_FLEET;
    }

    /** As {@link PoolObserver#onFrame}. */
    public void onFrame(int poolIndex, FpmFrame frame) {
        observer.onFrame(poolIndex, frame);
    }

    /** Says how many replicas the orchestrator has; without it they are counted from frames. */
    public void supplyFleet(int poolIndex, int ready, int pending) {
        observer.supplyFleet(
                poolIndex, new SuppliedFleet(ready, OptionalInt.of(pending), OptionalInt.empty(), Long.MAX_VALUE));
    }

    /** The plan at the given moment, nanoseconds since the Unix epoch on the caller's clock. */
    public PlanView tick(long nowNanos) {
        List<PoolView> views = new ArrayList<>();
        for (int i = 0; i < observer.pools(); i++) {
            views.add(observer.view(i, nowNanos));
        }
        PlanView plan = planMaker.plan(nowNanos, views);
        for (int i = 0; i < observer.pools(); i++) {
            observer.expect(i, plan.pools().get(i).latency());
        }
        return plan;
    }
}
