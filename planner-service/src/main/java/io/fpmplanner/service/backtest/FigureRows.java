/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.backtest.LearnerResult.Experiments;
import io.fpmplanner.service.replay.ErrorSummary;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of a recording as rows of cells, the header first; one row a learner. */
final class FigureRows {
    private FigureRows() {}

    /** Errors one step ahead. */
    static List<List<String>> accuracy(RecordingResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("one step ahead", "mean", "p50", "p90", "p99"));
        Arrays.stream(StepRegime.values()).map(ScoreFormat::name).forEach(header::add);
        header.add("answered");
        rows.add(header);
        for (LearnerResult learner : result.learners()) {
            Figures figures = learner.figures();
            List<String> row = new ArrayList<>(List.of(learner.contender().id()));
            row.addAll(errors(figures.total()));
            for (StepRegime regime : StepRegime.values()) {
                Figures.OfRegime part = figures.regimes().get(regime);
                row.add(part == null ? "" : ScoreFormat.percent(part.score().mape()));
            }
            row.add(ScoreFormat.percent(figures.answered()));
            rows.add(row);
        }
        return rows;
    }

    private static List<String> errors(ErrorSummary.Score score) {
        return List.of(
                ScoreFormat.percent(score.mape()),
                ScoreFormat.percent(score.p50()),
                ScoreFormat.percent(score.p90()),
                ScoreFormat.percent(score.p99()));
    }

    /** Learning, changes, sums and cost. */
    static List<List<String>> changes(RecordingResult result) {
        boolean noise = result.ours().experiments().noise().isPresent();
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(
                List.of("learning and changes", "sums", "start", "prefill", "decode", "mixed", "clock", "switch"));
        if (noise) {
            header.add("noise");
        }
        header.add("us/step");
        rows.add(header);
        for (LearnerResult learner : result.learners()) {
            List<String> row = new ArrayList<>(List.of(learner.contender().id()));
            row.add(ScoreFormat.percent(learner.figures().sums()));
            row.addAll(recoveries(learner));
            if (noise) {
                row.add(learner.experiments()
                        .noise()
                        .map(added -> String.format(Locale.ROOT, "%+.2f", 100 * added.added()))
                        .orElse("-"));
            }
            row.add(
                    learner.microsPerFrame().isEmpty()
                            ? "-"
                            : String.format(
                                    Locale.ROOT,
                                    "%.2f",
                                    learner.microsPerFrame().getAsDouble()));
            rows.add(row);
        }
        return rows;
    }

    private static List<String> recoveries(LearnerResult learner) {
        Experiments experiments = learner.experiments();
        List<String> cells = new ArrayList<>();
        cells.add(experiments.coldStart().map(start -> orNever(start.steps())).orElse("-"));
        for (StepRegime regime : StepRegime.values()) {
            Figures.OfRegime part = learner.figures().regimes().get(regime);
            cells.add(part == null ? "" : orNever(part.framesToGood()));
        }
        cells.add(experiments
                .slowerClock()
                .map(slower -> orNever(slower.recovery().steps()))
                .orElse("-"));
        cells.add(experiments
                .switched()
                .map(other -> orNever(other.recovery().steps()))
                .orElse("-"));
        return cells;
    }

    private static String orNever(OptionalInt steps) {
        return steps.isEmpty() ? "never" : String.valueOf(steps.getAsInt());
    }

    /** Medians over all recordings. */
    static List<List<String>> medians(BacktestReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("median over recordings", "mean", "p50", "p90", "p99"));
        for (Contender contender : Contender.values()) {
            rows.add(List.of(
                    contender.id(),
                    ScoreFormat.percent(report.median(contender, ErrorSummary.Score::mape)),
                    ScoreFormat.percent(report.median(contender, ErrorSummary.Score::p50)),
                    ScoreFormat.percent(report.median(contender, ErrorSummary.Score::p90)),
                    ScoreFormat.percent(report.median(contender, ErrorSummary.Score::p99))));
        }
        return rows;
    }

    /** What the intervals of our learner held, a sentence; empty if the recording is too short. */
    static String intervals(RecordingResult result) {
        List<Double> coverage = result.ours().figures().coverage();
        return coverage.isEmpty()
                ? ""
                : IntStream.range(0, coverage.size())
                        .mapToObj(level -> String.format(
                                Locale.ROOT,
                                "%.0f%% held %.2f%%",
                                100 * Predictions.LEVELS.get(level),
                                100 * coverage.get(level)))
                        .collect(Collectors.joining(
                                ", ",
                                "intervals of " + result.ours().contender().id() + ": ",
                                ""));
    }
}
