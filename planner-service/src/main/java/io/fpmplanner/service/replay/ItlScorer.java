/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.planner.Planner;
import io.fpmplanner.core.planner.PoolPlan;
import io.fpmplanner.core.pool.PoolSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets a planner of its own plan once a second of a recording's time, and holds the ITL that each plan predicts against the steps
 * of the second that follows. Not threadsafe.
 */
final class ItlScorer {
    /*
     * The planner that is scored step by step is not ticked, for there the model alone is judged. A token's time is its step and
     * the usual gap between steps; each step counts with the tokens it generated. A recording does not say the role of its
     * engine, so one planner is asked for each, and the first that can say counts: one for engines that decode alone needs no prompts.
     */
    private static final long TICK_NANOS = 1_000_000_000L;

    private final List<Planner> planners;
    private double[] overP50 = new double[1024];
    private double[] overP90 = new double[1024];
    private double[] tokens = new double[1024];
    private int count;
    private long plans;
    private long steps;
    private double within50;
    private double within90;
    private double within99;
    private long nextTickNanos = Long.MIN_VALUE;
    private double gapSeconds;
    private @Nullable LatencySpread predicted;

    /** One planner for each of these; the first whose plan tells a time between tokens counts. */
    ItlScorer(List<PoolSettings> roles) {
        this.planners =
                roles.stream().map(settings -> new Planner(List.of(settings))).toList();
    }

    /** Takes the next frame of a recording, stamped with when it came. */
    void onFrame(FpmFrame frame) {
        long now = frame.receivedNanos();
        if (nextTickNanos == Long.MIN_VALUE) {
            nextTickNanos = now + TICK_NANOS;
        }
        if (now >= nextTickNanos) {
            /* The plan before the frame: what was still to come is not known to it. Over silences one plan suffices. */
            plan(nextTickNanos + (now - nextTickNanos) / TICK_NANOS * TICK_NANOS);
        }
        if (frame.wallTimeSeconds() > 0) {
            steps++;
            LatencySpread then = predicted;
            double decodes = (double) frame.scheduledDecodeRequests();
            if (then != null && decodes > 0 && steps > ErrorSummary.SCORED_FROM) {
                add(then, frame.wallTimeSeconds() + gapSeconds, decodes);
            }
        }
        planners.forEach(planner -> planner.onFrame(0, frame));
    }

    private void plan(long nowNanos) {
        nextTickNanos = nowNanos + TICK_NANOS;
        predicted = null;
        for (Planner planner : planners) {
            PoolPlan plan = planner.tick(nowNanos).pools().get(0);
            if (predicted == null && plan.latency() instanceof LatencyPrediction.Predicted known) {
                predicted = known.itl().orElse(null);
                gapSeconds = plan.pool().load().gapSeconds();
            }
        }
        plans += predicted != null ? 1 : 0;
    }

    private void add(LatencySpread then, double seconds, double weight) {
        if (count == tokens.length) {
            overP50 = Arrays.copyOf(overP50, 2 * count);
            overP90 = Arrays.copyOf(overP90, 2 * count);
            tokens = Arrays.copyOf(tokens, 2 * count);
        }
        overP50[count] = seconds / then.p50Seconds();
        overP90[count] = seconds / then.p90Seconds();
        tokens[count++] = weight;
        within50 += seconds <= then.p50Seconds() ? weight : 0;
        within90 += seconds <= then.p90Seconds() ? weight : 0;
        within99 += seconds <= then.p99Seconds() ? weight : 0;
    }

    /** How the predictions held; empty if none was made or nothing decoded. */
    Optional<ItlScore> score() {
        if (count == 0) {
            return Optional.empty();
        }
        double total = Arrays.stream(tokens, 0, count).sum();
        return Optional.of(new ItlScore(
                plans,
                (long) total,
                quantile(overP50, 0.5 * total) - 1,
                quantile(overP90, 0.9 * total) - 1,
                within50 / total,
                within90 / total,
                within99 / total));
    }

    private double quantile(double[] ratios, double target) {
        /* Bits of floats above 0 are ordered as the floats are. */
        long[] order = new long[count];
        Arrays.setAll(order, i -> (long) Float.floatToIntBits((float) ratios[i]) << 32 | i);
        Arrays.sort(order);
        double below = 0;
        for (long entry : order) {
            below += tokens[(int) entry];
            if (below >= target) {
                return ratios[(int) entry];
            }
        }
        return ratios[(int) order[count - 1]];
    }
}
