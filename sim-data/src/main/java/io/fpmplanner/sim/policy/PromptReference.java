/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.policy;

import io.fpmplanner.sim.policy.Rehearsal.Arrival;
import io.fpmplanner.sim.policy.Rehearsal.Outcome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sees each request and its lengths the moment it comes, knows what engines can do, and orders the right fleet at that
 * very second; but it does not look ahead. The requests that it loses came before a replica ordered for them could be
 * ready: nobody without foresight can save them, so others are fairly judged by the rest.
 */
public final class PromptReference {
    /*
     * Needed is the work of the newest window of arrivals, in replicas by the engine's tables, times a factor; once ordered
     * a fleet is kept for a cold start, so that noise gives nothing up. Window and factor are the best of a few in
     * hindsight; a larger factor would be foresight in disguise. Who follows a trend can do better on a slope.
     */
    private static final double[] WINDOWS_SECONDS = {5, 15, 30};
    private static final double[] FACTORS = {0.8, 1, 1.25, 1.6};
    /** So small a difference in good requests is not worth GPUs. */
    private static final double ALIKE = 0.003;

    private PromptReference() {}

    /** Orders for the most good requests; among those alike, for the fewest GPUs. */
    public static Autoscaler of(ScalingTask task, Rehearsal rehearsal) {
        double[][] work = work(task, rehearsal);
        @Nullable Schedule best = null;
        @Nullable Outcome bestOutcome = null;
        for (double window : WINDOWS_SECONDS) {
            for (double factor : FACTORS) {
                Schedule tried = schedule(task, work, (int) window, factor);
                Outcome outcome = rehearsal.play(tried.followed(task, "rehearsal"));
                if (bestOutcome == null || isBetter(outcome, bestOutcome)) {
                    best = tried;
                    bestOutcome = outcome;
                }
            }
        }
        if (best == null) {
            throw new IllegalStateException("no window or no factor to try");
        }
        return best.followed(task, "requests that came");
    }

    private static boolean isBetter(Outcome one, Outcome other) {
        boolean alike = Math.abs(one.goodRate() - other.goodRate()) < ALIKE;
        return alike ? one.gpuSeconds() < other.gpuSeconds() : one.goodRate() > other.goodRate();
    }

    private static Schedule schedule(ScalingTask task, double[][] work, int window, double factor) {
        int[][] desired = new int[work.length][];
        for (int i = 0; i < work.length; i++) {
            PoolTask pool = task.pools().get(i);
            int kept = (int) Math.ceil(pool.coldStartSeconds());
            int[] needed = new int[work[i].length];
            for (int second = 0; second < needed.length; second++) {
                int from = Math.max(0, second - window);
                double arrived = Arrays.stream(work[i], from, second).sum();
                needed[second] = pool.clip((int) Math.ceil(factor * arrived / Math.max(1, second - from)));
            }
            desired[i] = new int[needed.length];
            for (int second = 0; second < needed.length; second++) {
                desired[i][second] = Arrays.stream(needed, Math.max(0, second - kept), second + 1)
                        .max()
                        .orElse(pool.minReplicas());
            }
        }
        return new Schedule(desired);
    }

    /** Replica-seconds of work by pool and second of arrival. */
    private static double[][] work(ScalingTask task, Rehearsal rehearsal) {
        double[][] work = new double[task.pools().size()][rehearsal.seconds() + 1];
        for (int i = 0; i < work.length; i++) {
            for (Arrival arrival : rehearsal.arrivals()) {
                MpcEngine engine = MpcEngine.of(task, i, arrival.inputTokens(), arrival.outputTokens(), 1);
                int at = (int) Math.min(rehearsal.seconds(), arrival.seconds());
                work[i][at] += 1 / engine.requestsPerSecond();
            }
        }
        return work;
    }
}
