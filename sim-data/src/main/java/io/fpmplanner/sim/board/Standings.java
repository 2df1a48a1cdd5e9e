/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import io.fpmplanner.sim.policy.Contender;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The results of a board: means over seeds for each scenario, and how policies compare over all scenarios. Immutable.
 *
 * @param stages each scenario in each of its topologies, in the order of the board
 * @param totals each topology, in the order of the board
 */
public record Standings(List<Stage> stages, List<Total> totals) {
    public Standings {
        stages = List.copyOf(stages);
        totals = List.copyOf(totals);
    }

    /**
     * A scenario in a topology. Immutable.
     *
     * @param rows one for each policy
     */
    public record Stage(String scenario, String topology, List<Row> rows) {
        public Stage {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A policy in a scenario; all figures are means over seeds. Immutable.
     *
     * @param real false for a policy that knows the future
     * @param goodRate share of requests within the objective
     * @param goodputPerGpu good requests for each second of a GPU
     * @param gpuHours GPU time
     * @param gpus mean number of GPUs
     * @param rank among the real policies by goodputPerGpu, from 1, equal ones share; 0 if not real
     */
    public record Row(
            String policyId,
            boolean real,
            double goodRate,
            double goodputPerGpu,
            double gpuHours,
            double gpus,
            RunScore.Latency ttft,
            RunScore.Latency itl,
            double scaleEvents,
            double reversals,
            double rank) {}

    /**
     * All scenarios of a topology. Immutable.
     *
     * @param lines one for each policy, in the order of the board
     */
    public record Total(String topology, int scenarios, List<Line> lines) {
        public Total {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A policy over all scenarios of a topology; all figures are means over scenarios. Immutable.
     *
     * @param meanRank among the real policies; empty if not real
     * @param winRate share of comparisons with another real policy in a scenario that it wins, ties counted half; likewise
     */
    public record Line(
            String policyId,
            double goodputPerGpu,
            OptionalDouble meanRank,
            OptionalDouble winRate,
            double goodRate,
            double gpus,
            double scaleEvents,
            double reversals) {}

    /** Compares. */
    public static Standings of(List<RunResult> results, List<Contender> contenders) {
        Map<String, List<RunResult>> groups = new LinkedHashMap<>();
        for (RunResult result : results) {
            RunCase run = result.runCase();
            groups.computeIfAbsent(run.scenario().name() + ' ' + run.topology().word(), any -> new ArrayList<>())
                    .add(result);
        }
        List<Stage> stages =
                groups.values().stream().map(group -> stage(group, contenders)).toList();
        List<Total> totals = stages.stream()
                .map(Stage::topology)
                .distinct()
                .map(topology -> total(topology, stages, contenders))
                .toList();
        return new Standings(stages, totals);
    }

    private static Stage stage(List<RunResult> group, List<Contender> contenders) {
        List<Row> rows = new ArrayList<>();
        for (Contender contender : contenders) {
            List<RunResult> runs = group.stream()
                    .filter(result -> result.runCase().policyId().equals(contender.id()))
                    .toList();
            rows.add(row(contender, runs));
        }
        List<Row> ranked = rows.stream().map(row -> withRank(row, rows)).toList();
        RunCase any = group.get(0).runCase();
        return new Stage(any.scenario().name(), any.topology().word(), ranked);
    }

    private static Row row(Contender contender, List<RunResult> runs) {
        double gpuHours = mean(runs, RunScore::gpuHours);
        int seconds = runs.get(0).runCase().scenario().timing().seconds();
        return new Row(
                contender.id(),
                contender.real(),
                mean(runs, RunScore::goodRate),
                mean(runs, RunScore::goodputPerGpu),
                gpuHours,
                gpuHours * 3600 / seconds,
                latency(runs, RunScore::ttft),
                latency(runs, RunScore::itl),
                mean(runs, RunScore::scaleEvents),
                mean(runs, RunScore::reversals),
                0);
    }

    private static Row withRank(Row row, List<Row> all) {
        double rank = 0;
        if (row.real()) {
            for (Row other : all) {
                if (other.real()) {
                    // Itself counts half as a tie, so the best of n has rank 1.
                    rank += beats(other, row);
                }
            }
            rank += 0.5;
        }
        return new Row(
                row.policyId(),
                row.real(),
                row.goodRate(),
                row.goodputPerGpu(),
                row.gpuHours(),
                row.gpus(),
                row.ttft(),
                row.itl(),
                row.scaleEvents(),
                row.reversals(),
                rank);
    }

    /** 1, 0, or a half for a tie. */
    private static double beats(Row one, Row other) {
        int compared = Double.compare(one.goodputPerGpu(), other.goodputPerGpu());
        return compared == 0 ? 0.5 : compared > 0 ? 1 : 0;
    }

    private static Total total(String topology, List<Stage> stages, List<Contender> contenders) {
        List<Stage> counted = stages.stream()
                .filter(stage -> stage.topology().equals(topology))
                .toList();
        long real = contenders.stream().filter(Contender::real).count();
        List<Line> lines = contenders.stream()
                .map(contender -> line(contender, counted, (int) real))
                .toList();
        return new Total(topology, counted.size(), lines);
    }

    private static Line line(Contender contender, List<Stage> stages, int real) {
        List<Row> rows = stages.stream()
                .flatMap(stage -> stage.rows().stream())
                .filter(row -> row.policyId().equals(contender.id()))
                .toList();
        double rank = rows.stream().mapToDouble(Row::rank).average().orElseThrow();
        boolean compared = contender.real() && real > 1;
        return new Line(
                contender.id(),
                average(rows, Row::goodputPerGpu),
                contender.real() ? OptionalDouble.of(rank) : OptionalDouble.empty(),
                compared ? OptionalDouble.of((real - rank) / (real - 1)) : OptionalDouble.empty(),
                average(rows, Row::goodRate),
                average(rows, Row::gpus),
                average(rows, Row::scaleEvents),
                average(rows, Row::reversals));
    }

    private static double average(List<Row> rows, ToDoubleFunction<Row> figure) {
        return rows.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static double mean(List<RunResult> runs, ToDoubleFunction<RunScore> figure) {
        return runs.stream()
                .mapToDouble(run -> figure.applyAsDouble(run.score()))
                .average()
                .orElseThrow();
    }

    private static RunScore.Latency latency(List<RunResult> runs, Function<RunScore, RunScore.Latency> latency) {
        return new RunScore.Latency(
                meanOfPresent(runs, run -> latency.apply(run).p50Seconds()),
                meanOfPresent(runs, run -> latency.apply(run).p90Seconds()),
                meanOfPresent(runs, run -> latency.apply(run).p99Seconds()));
    }

    private static OptionalDouble meanOfPresent(List<RunResult> runs, Function<RunScore, OptionalDouble> figure) {
        return runs.stream()
                .map(run -> figure.apply(run.score()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }
}
