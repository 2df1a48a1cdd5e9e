/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.latency.LatencyPrediction;
import io.fpmplanner.core.latency.LatencyPredictor;
import io.fpmplanner.core.latency.LatencySpread;
import io.fpmplanner.core.pool.PoolView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints how much of a prediction for now is chance: the same views are played forward from many seeds. Run its main from the test
 * classes; the first argument is the number of replicas, the second picks the scenarios whose name contains it.
 */
public final class ForecastScatter {
    private static final int SEEDS = 60;
    private static final int VIEWS = 8;
    private static final double BETWEEN_SECONDS = 10;
    /** Of seeds: their sequences of numbers are one, begun at different places. */
    private static final long APART = 1_000_003;

    private static final List<String> FIGURES =
            List.of("TTFT mean", "p50", "p90", "p99", "within", "ITL mean", "p50", "p90", "within");

    private ForecastScatter() {}

    public static void main(String[] args) {
        int replicas = Integer.parseInt(args[0]);
        String wanted = args.length > 1 ? args[1] : "";
        System.out.println("mean over views (their seeds' deviation in %): " + String.join(", ", FIGURES));
        List<Scenario> scenarios = new ArrayList<>(Scenario.all());
        scenarios.addAll(Scenario.unseen());
        for (Scenario scenario : scenarios) {
            if (scenario.name().contains(wanted)) {
                print(scenario, replicas);
            }
        }
    }

    private static void print(Scenario scenario, int replicas) {
        double saturated = Saturation.requestsPerSecond(scenario) * replicas / Scenario.REPLICAS;
        for (Load load : List.of(Load.steady(0.3), Load.steady(0.6), Load.steady(0.9), Load.standingQueue())) {
            try (AccuracyRun run = new AccuracyRun(scenario.with(replicas), load.rate(saturated), 11)) {
                List<List<PoolView>> views = List.of(new ArrayList<>(), new ArrayList<>());
                for (int i = 0; i < VIEWS; i++) {
                    run.runTo(load.measureFromSeconds() + i * BETWEEN_SECONDS);
                    for (int k = 0; k < run.plans().size(); k++) {
                        views.get(k).add(run.plans().get(k).pool());
                    }
                }
                for (int k = 0; k < run.plans().size(); k++) {
                    System.out.printf(
                            Locale.ROOT,
                            "%-32s %-6s %-6s %s%n",
                            scenario.name(),
                            load.name(),
                            run.plans().get(k).id(),
                            of(views.get(k)));
                }
            }
        }
    }

    private static String of(List<PoolView> views) {
        double[] means = new double[FIGURES.size()];
        double[] deviations = new double[FIGURES.size()];
        for (PoolView view : views) {
            double[] sums = new double[means.length];
            double[] squares = new double[means.length];
            for (int seed = 0; seed < SEEDS; seed++) {
                double[] figures = figures(seeded(view, seed));
                for (int i = 0; i < figures.length; i++) {
                    sums[i] += figures[i];
                    squares[i] += figures[i] * figures[i];
                }
            }
            for (int i = 0; i < means.length; i++) {
                double mean = sums[i] / SEEDS;
                means[i] += mean / views.size();
                deviations[i] += Math.sqrt(Math.max(0, squares[i] / SEEDS - mean * mean)) / views.size();
            }
        }
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < means.length; i++) {
            line.append(String.format(Locale.ROOT, " %10.5f (%4.1f)", means[i], 100 * deviations[i] / means[i]));
        }
        return line.toString();
    }

    /** The same view, which draws other numbers. */
    private static PoolView seeded(PoolView view, int seed) {
        return new PoolView(
                view.settings(),
                view.nowNanos() + seed * APART,
                view.fleet(),
                view.workers(),
                view.endpoints(),
                view.load(),
                view.workload(),
                view.model(),
                view.counters(),
                view.doubts(),
                view.kv());
    }

    private static double[] figures(PoolView view) {
        double[] figures = new double[FIGURES.size()];
        if (new LatencyPredictor().typical(view) instanceof LatencyPrediction.Predicted known) {
            put(figures, 0, known.ttft());
            figures[3] = known.ttft().p99Seconds();
            figures[4] = known.sloShare().ttft();
            known.itl().ifPresent(itl -> {
                figures[5] = itl.meanSeconds();
                figures[6] = itl.p50Seconds();
                figures[7] = itl.p90Seconds();
            });
            figures[8] = known.sloShare().itl().orElse(Double.NaN);
        } else {
            Arrays.fill(figures, Double.NaN);
        }
        return figures;
    }

    private static void put(double[] figures, int from, LatencySpread spread) {
        figures[from] = spread.meanSeconds();
        figures[from + 1] = spread.p50Seconds();
        figures[from + 2] = spread.p90Seconds();
    }
}
