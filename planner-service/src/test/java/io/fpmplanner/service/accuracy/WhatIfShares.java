/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.accuracy;

import io.fpmplanner.core.pool.PoolView;
import io.fpmplanner.core.twin.PresentTraffic;
import io.fpmplanner.core.twin.TwinPool;
import io.fpmplanner.core.twin.WhatIfAnswer;
import io.fpmplanner.core.twin.Workload;
import io.fpmplanner.service.accuracy.WhatIfAccuracy.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Prints what errors of what-if answers consist of, each part in % of the truth over {@value #SEEDS} seeds: the scatter of one
 * truth; the step law, by really simulating with the learned one; the twin, by the mean of its answers against that; its seed, and the seed it
 * answers with against that mean; and the lengths, by inferred against told. The first argument picks the scenarios whose name contains it, the
 * second the least utilisation learned at, {@code unseen} as the third those that nothing was tuned on.
 */
public final class WhatIfShares {
    private static final int SEEDS = 4;
    /** Of requests played by the twin. */
    private static final int ORDERS = 12;

    private static final List<String> FIGURES = List.of("TTFT p50", "TTFT p90", "ITL p50", "ITL p90");

    private WhatIfShares() {}

    private record Four(double ttftP50, double ttftP90, double itlP50, double itlP90) {
        static Four of(Truth truth) {
            return new Four(
                    truth.ttftSeconds().p50(),
                    truth.ttftSeconds().p90(),
                    truth.itlSeconds().p50(),
                    truth.itlSeconds().p90());
        }

        static @Nullable Four of(WhatIfAnswer answer) {
            return answer.ttft().isEmpty() || answer.itl().isEmpty()
                    ? null
                    : new Four(
                            answer.ttft().get().p50Seconds(),
                            answer.ttft().get().p90Seconds(),
                            answer.itl().get().p50Seconds(),
                            answer.itl().get().p90Seconds());
        }

        double figure(int index) {
            return switch (index) {
                case 0 -> ttftP50;
                case 1 -> ttftP90;
                case 2 -> itlP50;
                default -> itlP90;
            };
        }
    }

    private static double mean(List<Four> all, int figure) {
        return all.stream().mapToDouble(four -> four.figure(figure)).average().orElse(Double.NaN);
    }

    /** Standard deviation over mean. */
    private static double scatter(List<Four> all, int figure) {
        double mean = mean(all, figure);
        double squares = all.stream()
                .mapToDouble(four -> Math.pow(four.figure(figure) - mean, 2))
                .sum();
        return Math.sqrt(squares / Math.max(1, all.size() - 1)) / mean;
    }

    public static void main(String[] args) {
        String wanted = args.length > 0 ? args[0] : "";
        double from = args.length > 1 ? Double.parseDouble(args[1]) : 0;
        boolean unseen = args.length > 2 && args[2].equals("unseen");
        for (Scenario scenario : unseen ? Scenario.unseen() : Scenario.all()) {
            if (scenario.name().contains(wanted)) {
                double saturated = Saturation.requestsPerSecond(scenario);
                for (double utilisation : List.of(0.3, 0.45, 0.6, 0.9)) {
                    if (utilisation >= from) {
                        shares(scenario, saturated, utilisation);
                    }
                }
            }
        }
    }

    private static void shares(Scenario scenario, double saturated, double utilisation) {
        System.out.printf(Locale.ROOT, "%s, learned at %.2f of %.2f/s%n", scenario.name(), utilisation, saturated);
        try (AccuracyRun run =
                new AccuracyRun(scenario, Load.steady(utilisation).rate(saturated), 11)) {
            run.runTo(WhatIfAccuracy.LEARN_SECONDS);
            PoolView pool = run.plan(Scenario.POOL).pool();
            PoolView decode = scenario.isPair() ? run.plan(Scenario.DECODE).pool() : pool;
            Scenario learned = scenario.with(seed -> new LearnedLaw(TwinPool.of(pool), TwinPool.of(decode), seed));
            PresentTraffic present = WhatIfAccuracy.present(scenario, run);
            for (Change change : Change.ALL) {
                double after = change.utilisation(utilisation);
                if (after <= WhatIfAccuracy.CLEARLY_STABLE) {
                    double rate = utilisation * saturated * change.rateFactor();
                    print(change, after, scenario, learned, run, present, rate);
                }
            }
        }
    }

    private static void print(
            Change change,
            double after,
            Scenario scenario,
            Scenario learned,
            AccuracyRun run,
            PresentTraffic present,
            double rate) {
        double seconds = WhatIfAccuracy.seconds(after, rate);
        List<Four> truth = new ArrayList<>();
        List<Four> byLearned = new ArrayList<>();
        List<Four> told = new ArrayList<>();
        List<Four> inferred = new ArrayList<>();
        Workload known = WhatIfAccuracy.workload(scenario, present, rate, true);
        Workload seen = WhatIfAccuracy.workload(scenario, present, rate, false);
        for (int i = 0; i < SEEDS; i++) {
            truth.add(Four.of(Truth.of(scenario.with(change.replicas()), rate, seconds, 31L + i)));
            byLearned.add(Four.of(Truth.of(learned.with(change.replicas()), rate, seconds, 31L + i)));
            add(
                    inferred,
                    Four.of(WhatIfAccuracy.ask(scenario, run, change.replicas(), seen, OptionalLong.of(100L * i))));
        }
        for (int i = 0; i < ORDERS; i++) {
            add(told, Four.of(WhatIfAccuracy.ask(scenario, run, change.replicas(), known, OptionalLong.of(100L * i))));
        }
        List<Four> answered = new ArrayList<>();
        add(answered, Four.of(WhatIfAccuracy.ask(scenario, run, change.replicas(), known, OptionalLong.empty())));
        for (int figure = 0; figure < FIGURES.size(); figure++) {
            double real = mean(truth, figure);
            double law = mean(byLearned, figure);
            double twin = mean(told, figure);
            System.out.printf(
                    Locale.ROOT,
                    "  %-12s %.2f %-8s %8.1f ms  total %+6.1f (told %+6.1f)  scatter %5.1f  law %+6.1f  twin %+6.1f  its seed %5.1f  answered %+6.1f  lengths %+6.1f%n",
                    change.name(),
                    after,
                    FIGURES.get(figure),
                    1e3 * real,
                    100 * (mean(inferred, figure) / real - 1),
                    100 * (twin / real - 1),
                    100 * scatter(truth, figure),
                    100 * (law / real - 1),
                    100 * (twin / law - 1),
                    100 * scatter(told, figure),
                    100 * (mean(answered, figure) / twin - 1),
                    100 * (mean(inferred, figure) / twin - 1));
        }
    }

    private static void add(List<Four> all, @Nullable Four one) {
        if (one != null) {
            all.add(one);
        }
    }
}
