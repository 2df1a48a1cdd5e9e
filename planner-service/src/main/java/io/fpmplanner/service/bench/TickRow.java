/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.bench;

import com.sun.management.ThreadMXBean;
import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.planner.PlanView;
import io.fpmplanner.core.pool.PoolView;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Plans of a large fleet by their parts, in one thread without sockets: medians of CPU time, which other processes on the
 * machine disturb least.
 */
final class TickRow {
    private static final int POOLS = 100;
    private static final int WORKERS = 100;
    private static final int FRAMES_PER_SECOND = 20_000;
    /** Until all of it is compiled. */
    private static final int TICKS_BEFORE = 100;

    private static final int FEWEST_TICKS = 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final InProcessFeed feed;
    private final int frames;
    private double viewMillis;
    private double predictionMillis;
    private double decisionMillis;
    private double megabytes;

    private TickRow(Effort effort) {
        this.frames = effort.of(FRAMES_PER_SECOND);
        this.feed = new InProcessFeed(effort.of(POOLS), effort.of(WORKERS), 1_000_000_000L / frames);
    }

    static Figures run(Effort effort) {
        TickRow row = new TickRow(effort);
        long until = System.nanoTime() + (long) (effort.warmUpSeconds() * 1e9);
        for (int i = 0; i < effort.of(TICKS_BEFORE) || System.nanoTime() < until; i++) {
            row.tick();
        }
        int most = 10_000;
        double[][] parts = new double[4][most];
        int ticks = 0;
        until = System.nanoTime() + (long) (effort.seconds() * 1e9);
        while (ticks < most && (ticks < effort.of(FEWEST_TICKS) || System.nanoTime() < until)) {
            row.tick();
            parts[0][ticks] = row.viewMillis;
            parts[1][ticks] = row.predictionMillis;
            parts[2][ticks] = row.decisionMillis;
            parts[3][ticks] = row.megabytes;
            ticks++;
        }
        double[] medians = new double[parts.length];
        for (int i = 0; i < parts.length; i++) {
            Arrays.sort(parts[i], 0, ticks);
            medians[i] = parts[i][ticks / 2];
        }
        return new Figures()
                .put("ticks", ticks)
                .put("views, ms", medians[0])
                .put("predictions, ms", medians[1])
                .put("decisions, ms", medians[2])
                .put("tick, ms of one core", medians[0] + medians[1] + medians[2])
                .put("allocated, MB", medians[3]);
    }

    private void tick() {
        for (int i = 0; i < frames; i++) {
            feed.next();
        }
        long thread = Thread.currentThread().getId();
        long allocated = threads.getThreadAllocatedBytes(thread);
        double start = cpuMillis();
        List<PoolView> views = new ArrayList<>();
        for (int i = 0; i < feed.planner().observer().pools(); i++) {
            views.add(feed.planner().observer().view(i, feed.nowNanos()));
        }
        double seen = cpuMillis();
        // Worked out once for each view, so that the plan finds them.
        List<LatencyPrediction> latencies = views.stream()
                .map(feed.planner().planMaker().predictor()::typical)
                .toList();
        double predicted = cpuMillis();
        PlanView plan = feed.planner().planMaker().plan(feed.nowNanos(), views);
        for (int i = 0; i < latencies.size(); i++) {
            feed.planner().observer().expect(i, plan.pools().get(i).latency());
        }
        double decided = cpuMillis();
        viewMillis = seen - start;
        predictionMillis = predicted - seen;
        decisionMillis = decided - predicted;
        megabytes = (threads.getThreadAllocatedBytes(thread) - allocated) / 1e6;
    }

    private double cpuMillis() {
        return threads.getCurrentThreadCpuTime() / 1e6;
    }
}
