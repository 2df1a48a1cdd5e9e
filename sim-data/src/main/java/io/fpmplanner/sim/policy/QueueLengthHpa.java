/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Kubernetes HPA as KEDA sets it up on the length of the queue: an external metric with target type AverageValue.
 *
 * <p>Without the metric it changes nothing, as the HPA does.
 */
public final class QueueLengthHpa implements Autoscaler {
    /*
     * Kubernetes, pkg/controller/podautoscaler: replica_calculator.go GetExternalPerPodMetricReplicas for the ratio, its
     * tolerance and the rounding; horizontal.go for the stabilisation (the highest recommendation of the window, which
     * begins with the present size) and for the default scale-up policies (the larger of 100 % and 4 pods in 15 s). The
     * default scale-down policy, 100 % in 15 s, never binds.
     */
    private static final int SYNC_SECONDS = 15;
    private static final double TARGET = 5;
    private static final double TOLERANCE = 0.1;
    private static final long STABILISATION_NANOS = 300_000_000_000L;
    private static final int UP_PODS = 4;

    private record Recommended(long atNanos, int replicas) {}

    private final ScalingTask task;
    private final Map<String, Deque<Recommended>> history = new HashMap<>();

    public QueueLengthHpa(ScalingTask task) {
        this.task = task;
    }

    @Override
    public int intervalSeconds() {
        return SYNC_SECONDS;
    }

    @Override
    public List<PoolDecision> decide(FleetObservation observation) {
        List<PoolDecision> decisions = new ArrayList<>();
        for (PoolTask pool : task.pools()) {
            observation.pools().stream()
                    .filter(seen -> seen.id().equals(pool.id()))
                    .forEach(seen -> seen.load()
                            .ifPresent(load -> decisions.add(
                                    decide(pool, seen.ordered(), load.waiting(), observation.nowNanos()))));
        }
        return decisions;
    }

    private PoolDecision decide(PoolTask pool, int current, int waiting, long nowNanos) {
        double ratio = current == 0 ? Double.POSITIVE_INFINITY : waiting / (TARGET * current);
        boolean tolerated = Math.abs(1 - ratio) <= TOLERANCE;
        int recommended = tolerated ? current : (int) Math.ceil(waiting / TARGET);
        int stabilised = stabilise(pool, current, pool.clip(recommended), nowNanos);
        int most = current + Math.max(UP_PODS, current);
        String reason = waiting + " requests wait, " + TARGET + " a replica are wanted";
        return new PoolDecision(pool.id(), Math.min(most, stabilised), reason);
    }

    private int stabilise(PoolTask pool, int current, int recommended, long nowNanos) {
        Deque<Recommended> window = history.computeIfAbsent(pool.id(), any -> {
            Deque<Recommended> begun = new ArrayDeque<>();
            begun.add(new Recommended(nowNanos, current));
            return begun;
        });
        while (!window.isEmpty() && window.getFirst().atNanos() < nowNanos - STABILISATION_NANOS) {
            window.removeFirst();
        }
        window.addLast(new Recommended(nowNanos, recommended));
        int highest = window.stream().mapToInt(Recommended::replicas).max().orElse(recommended);
        // The window holds back a decrease; it never causes an increase.
        return Math.max(recommended, Math.min(current, highest));
    }
}
