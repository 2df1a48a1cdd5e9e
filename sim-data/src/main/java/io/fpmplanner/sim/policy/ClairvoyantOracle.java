/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.engine.EngineKind;
import io.fpmplanner.sim.policy.Rehearsal.Arrival;
import io.fpmplanner.sim.policy.Rehearsal.Outcome;
import java.util.Arrays;
import java.util.List;

/**
 * Knows each arrival to come and may rehearse the run: what remains to be won by anyone who does not. Its schedule is found
 * by search over the very simulation that judges it, so it is not the best possible one, but hard to beat.
 */
public final class ClairvoyantOracle {
    /*
     * A schedule follows from the work that arrives: the replica-seconds of each request by the engine's tables, averaged
     * over a window, times a factor for each pool, and ordered one cold start ahead; it is kept over gaps shorter than a cold
     * start. Windows and factors are searched on a grid, then factors one at a time, then replicas are taken away in
     * stretches of a cold start as long as that pays.
     */
    private static final double[] WINDOWS_SECONDS = {10, 30, 1e9};
    private static final double[] FACTORS = {0.6, 0.85, 1.2, 1.7};
    private static final double[] STEPS = {1.25, 0.8, 1.1, 0.92};
    /** Rehearsed seconds that may be spent on one run. */
    private static final int REHEARSED_SECONDS = 14_000;

    private static final int FEWEST_REHEARSALS = 16;
    private static final double AMPLE = 0.97;

    private final ScalingTask task;
    private final Rehearsal rehearsal;
    private final boolean forGoodput;
    private final double[][] work;
    private int left;
    private Outcome best = new Outcome(0, 0, 0);
    private Schedule bestSchedule;

    private ClairvoyantOracle(ScalingTask task, Rehearsal rehearsal, boolean forGoodput) {
        this.task = task;
        this.rehearsal = rehearsal;
        this.forGoodput = forGoodput;
        this.work = work(task, rehearsal);
        this.left = Math.max(FEWEST_REHEARSALS, REHEARSED_SECONDS / Math.max(1, rehearsal.seconds()));
        int[][] fewest = new int[task.pools().size()][rehearsal.seconds() + 1];
        for (int i = 0; i < fewest.length; i++) {
            Arrays.fill(fewest[i], task.pools().get(i).minReplicas());
        }
        this.bestSchedule = new Schedule(fewest);
    }

    /** The fewest GPUs with which 97 % of requests are good; as many good ones as possible where none suffice. */
    public static Autoscaler forAttainment(ScalingTask task, Rehearsal rehearsal) {
        return new ClairvoyantOracle(task, rehearsal, false).search();
    }

    /** The most good requests for the GPU time. */
    public static Autoscaler forGoodput(ScalingTask task, Rehearsal rehearsal) {
        return new ClairvoyantOracle(task, rehearsal, true).search();
    }

    private Autoscaler search() {
        consider(bestSchedule);
        int pools = task.pools().size();
        double[] factors = new double[pools];
        double window = WINDOWS_SECONDS[0];
        for (double candidate : WINDOWS_SECONDS) {
            for (double factor : FACTORS) {
                double[] all = new double[pools];
                Arrays.fill(all, factor);
                if (consider(schedule(candidate, all)) || factors[0] == 0) {
                    factors = all;
                    window = candidate;
                }
            }
        }
        climb(window, factors);
        trim();
        return bestSchedule.followed(task, "known beforehand");
    }

    private void climb(double window, double[] factors) {
        boolean better = true;
        while (better && left > 0) {
            better = false;
            for (int pool = 0; pool < factors.length; pool++) {
                for (double step : STEPS) {
                    double before = factors[pool];
                    factors[pool] = before * step;
                    if (left > 0 && consider(schedule(window, factors))) {
                        better = true;
                    } else {
                        factors[pool] = before;
                    }
                }
            }
        }
    }

    private void trim() {
        int stretch = Math.max(5, (int) Math.ceil(task.pools().get(0).coldStartSeconds()));
        for (int pool = 0; pool < task.pools().size(); pool++) {
            int fewest = task.pools().get(pool).minReplicas();
            for (int from = 0; from < rehearsal.seconds() && left > 0; from += stretch) {
                Schedule less = bestSchedule.trimmed(pool, from, from + stretch, fewest);
                if (less.desired(pool, from) < bestSchedule.desired(pool, from)) {
                    consider(less);
                }
            }
        }
    }

    private boolean consider(Schedule schedule) {
        left--;
        Outcome outcome = rehearsal.play(schedule.followed(task, "rehearsal"));
        boolean better = forGoodput ? outcome.goodputPerGpu() > best.goodputPerGpu() : attainsBetter(outcome);
        if (better) {
            best = outcome;
            bestSchedule = schedule;
        }
        return better;
    }

    private boolean attainsBetter(Outcome outcome) {
        boolean ample = outcome.goodRate() >= AMPLE;
        boolean bestAmple = best.goodRate() >= AMPLE;
        if (ample && bestAmple) {
            return outcome.gpuSeconds() < best.gpuSeconds();
        }
        return ample != bestAmple ? ample : outcome.goodRate() > best.goodRate();
    }

    private Schedule schedule(double windowSeconds, double[] factors) {
        int seconds = rehearsal.seconds();
        int[][] desired = new int[factors.length][seconds + 1];
        for (int i = 0; i < factors.length; i++) {
            PoolTask pool = task.pools().get(i);
            int ahead = (int) Math.ceil(pool.coldStartSeconds());
            int[] needed = new int[seconds + 1];
            double[] load = averaged(work[i], windowSeconds);
            for (int second = 0; second <= seconds; second++) {
                needed[second] = pool.clip((int) Math.ceil(load[second] * factors[i]));
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
