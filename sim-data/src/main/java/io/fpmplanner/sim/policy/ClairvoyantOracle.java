/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.policy.Rehearsal.Arrival;
import io.fpmplanner.sim.policy.Rehearsal.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows each arrival to come and may rehearse the run: what remains to be won by anyone who does not. Its schedule is found
 * by search over the very simulation that judges it, so it is not the best possible one, but hard to beat.
 */
public final class ClairvoyantOracle {
    /*
     * A schedule follows from the work that arrives: the replica-seconds of each request by the engine's tables, averaged
     * over a window, times a factor for each pool, and ordered one cold start ahead; it is kept over gaps shorter than a cold
     * start. Windows and factors are searched on a grid, then factors one at a time, then replicas are taken away in
     * stretches as long as that pays.
     */
    private static final double[] WINDOWS_SECONDS = {10, 30, 1e9};
    private static final double[] FACTORS = {0.6, 0.85, 1.2, 1.7};
    private static final double[] STEPS = {1.25, 0.8, 1.1, 0.92};
    /** Rehearsed seconds that may be spent on one run. */
    private static final int REHEARSED_SECONDS = 60_000;

    private static final int FEWEST_REHEARSALS = 28;
    private static final double AMPLE = 0.97;
    /** Where the ample rate is out of reach, so small a difference is not worth GPUs. */
    private static final double ALIKE = 0.003;

    private final ScalingTask task;
    private final Rehearsal rehearsal;
    private final double[][] work;
    private final Best frugal = new Best(ClairvoyantOracle::attainsBetter);
    private final Best productive = new Best((one, other) -> one.goodputPerGpu() > other.goodputPerGpu());
    private int left;

    private ClairvoyantOracle(ScalingTask task, Rehearsal rehearsal) {
        this.task = task;
        this.rehearsal = rehearsal;
        this.work = work(task, rehearsal);
        this.left = Math.max(FEWEST_REHEARSALS, REHEARSED_SECONDS / Math.max(1, rehearsal.seconds()));
    }

    /** The fewest GPUs with which 97 % of requests are good; as many good ones as possible where none suffice. */
    public static Autoscaler forAttainment(ScalingTask task, Rehearsal rehearsal) {
        ClairvoyantOracle oracle = new ClairvoyantOracle(task, rehearsal);
        return oracle.search(oracle.frugal);
    }

    /** The most good requests for the GPU time. */
    public static Autoscaler forGoodput(ScalingTask task, Rehearsal rehearsal) {
        ClairvoyantOracle oracle = new ClairvoyantOracle(task, rehearsal);
        return oracle.search(oracle.productive);
    }

    /** The best so far by one objective, and the shape it came from. Not threadsafe. */
    private static final class Best {
        private final BiPredicate<Outcome, Outcome> better;
        private @Nullable Outcome outcome;
        private @Nullable Schedule schedule;
        private @Nullable Shape shape;

        Best(BiPredicate<Outcome, Outcome> better) {
            this.better = better;
        }

        boolean offer(Outcome offered, Schedule by, @Nullable Shape of) {
            if (outcome != null && !better.test(offered, outcome)) {
                return false;
            }
            outcome = offered;
            schedule = by;
            shape = of == null ? shape : of;
            return true;
        }
    }

    /** From what a schedule follows. Immutable. */
    private record Shape(double windowSeconds, List<Double> factors) {
        Shape with(int pool, double factor) {
            List<Double> changed = new ArrayList<>(factors);
            changed.set(pool, factor);
            return new Shape(windowSeconds, changed);
        }
    }

    private Autoscaler search(Best goal) {
        int pools = task.pools().size();
        for (double window : WINDOWS_SECONDS) {
            for (double factor : FACTORS) {
                consider(new Shape(window, Collections.nCopies(pools, factor)), goal);
            }
        }
        int forTrimming = left / 2;
        // A schedule with all requests good, trimmed, is often the most productive one too.
        climb(frugal, goal == frugal ? forTrimming : (left + forTrimming) / 2);
        climb(goal, forTrimming);
        if (goal != frugal && frugal.schedule != null) {
            trim(frugal.schedule, left / 2, goal);
        }
        if (goal.schedule != null) {
            trim(goal.schedule, 0, goal);
        }
        Schedule found = goal.schedule;
        return found == null ? observation -> List.of() : found.followed(task, "known beforehand");
    }

    private void climb(Best goal, int leave) {
        boolean better = true;
        while (better && left > leave) {
            better = false;
            for (int pool = 0; pool < task.pools().size(); pool++) {
                for (double step : STEPS) {
                    Shape from = goal.shape;
                    if (from != null && left > leave) {
                        Shape next = from.with(pool, from.factors().get(pool) * step);
                        better |= consider(next, goal);
                    }
                }
            }
        }
    }

    /** Takes replicas away in long stretches, then in short ones, as long as the goal does not lose by it. */
    private void trim(Schedule start, int leave, Best goal) {
        Schedule current = start;
        int coldStart = Math.max(5, (int) Math.ceil(task.pools().get(0).coldStartSeconds()));
        for (int stretch : new int[] {4 * coldStart, coldStart, coldStart / 2}) {
            for (int pool = 0; pool < task.pools().size(); pool++) {
                int fewest = task.pools().get(pool).minReplicas();
                for (int from = 0; from < rehearsal.seconds() && left > leave; from += stretch) {
                    Schedule less = current.trimmed(pool, from, from + stretch, fewest);
                    if (!less.sameAs(current) && consider(less, null, goal)) {
                        current = less;
                    }
                }
            }
        }
    }

    private boolean consider(Shape shape, Best goal) {
        return consider(schedule(shape), shape, goal);
    }

    private boolean consider(Schedule schedule, @Nullable Shape shape, Best goal) {
        left--;
        Outcome outcome = rehearsal.play(schedule.followed(task, "rehearsal"));
        boolean frugalBetter = frugal.offer(outcome, schedule, shape);
        boolean productiveBetter = productive.offer(outcome, schedule, shape);
        return goal == frugal ? frugalBetter : productiveBetter;
    }

    private static boolean attainsBetter(Outcome one, Outcome other) {
        boolean ample = one.goodRate() >= AMPLE;
        boolean otherAmple = other.goodRate() >= AMPLE;
        if (ample && otherAmple) {
            return one.gpuSeconds() < other.gpuSeconds();
        }
        if (ample != otherAmple) {
            return ample;
        }
        boolean alike = Math.abs(one.goodRate() - other.goodRate()) < ALIKE;
        return alike ? one.gpuSeconds() < other.gpuSeconds() : one.goodRate() > other.goodRate();
    }

    private Schedule schedule(Shape shape) {
        int seconds = rehearsal.seconds();
        int pools = task.pools().size();
        int[][] desired = new int[pools][seconds + 1];
        for (int i = 0; i < pools; i++) {
            PoolTask pool = task.pools().get(i);
            int ahead = (int) Math.ceil(pool.coldStartSeconds());
            int[] needed = new int[seconds + 1];
            double[] load = averaged(work[i], shape.windowSeconds());
            for (int second = 0; second <= seconds; second++) {
                needed[second] =
                        pool.clip((int) Math.ceil(load[second] * shape.factors().get(i)));
            }
            for (int second = 0; second <= seconds; second++) {
                int last = Math.min(seconds, second + ahead);
                desired[i][second] =
                        Arrays.stream(needed, second, last + 1).max().orElse(pool.minReplicas());
            }
        }
        return new Schedule(desired);
    }

    /** Means over windows that end at each second, and over all of it for a window that is longer. */
    private static double[] averaged(double[] values, double windowSeconds) {
        int length = values.length;
        int window = (int) Math.min(windowSeconds, length);
        double[] sums = new double[length + 1];
        for (int i = 0; i < length; i++) {
            sums[i + 1] = sums[i] + values[i];
        }
        double[] averaged = new double[length];
        for (int i = 0; i < length; i++) {
            int to = window == length ? length : i + 1;
            int from = Math.max(0, to - window);
            averaged[i] = (sums[to] - sums[from]) / Math.max(1, to - from);
        }
        return averaged;
    }

    /** Replica-seconds of work that arrive in each second, by pool. */
    private static double[][] work(ScalingTask task, Rehearsal rehearsal) {
        List<Arrival> arrivals = rehearsal.arrivals();
        double[][] work = new double[task.pools().size()][rehearsal.seconds() + 1];
        for (int i = 0; i < work.length; i++) {
            EngineKind kind = task.pools().get(i).engine().kind();
            for (Arrival arrival : arrivals) {
                MpcEngine engine = MpcEngine.of(task, i, arrival.inputTokens(), arrival.outputTokens(), 1);
                double start = arrival.seconds();
                double busy = 1 / engine.requestsPerSecond();
                // An answer is written over many seconds; its work is spread over them.
                int spread = kind == EngineKind.PREFILL_ONLY
                        ? 1
                        : (int) Math.max(
                                1,
                                Math.ceil(arrival.outputTokens()
                                        * task.objective().itlSeconds()
                                        / 2));
                for (int second = 0; second < spread; second++) {
                    int at = (int) Math.min(rehearsal.seconds(), start + second);
                    work[i][at] += busy / spread;
                }
            }
        }
        return work;
    }
}
