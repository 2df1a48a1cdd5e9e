/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.replay.ErrorSummary;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The comparison for machines: errors and coverages are fractions, figures that are not known are null. */
final class BacktestJson {
    private BacktestJson() {}

    static ObjectNode of(BacktestReport report) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode recordings = document.putArray("recordings");
        for (RecordingResult result : report.results()) {
            result.learners().forEach(learner -> put(recordings.addObject(), result, learner));
        }
        ArrayNode verdicts = document.putArray("verdicts");
        report.results().forEach(result -> put(verdicts.addObject(), result));
        ArrayNode medians = document.putArray("medians");
        for (Contender contender : Contender.values()) {
            ObjectNode node = medians.addObject().put("learner", contender.id());
            ScoreFormat.put(node, "mape", report.median(contender, ErrorSummary.Score::mape));
            ScoreFormat.put(node, "p50", report.median(contender, ErrorSummary.Score::p50));
            ScoreFormat.put(node, "p90", report.median(contender, ErrorSummary.Score::p90));
        }
        ScoreFormat.putFailures(document, report.failures());
        return document;
    }

    private static void put(ObjectNode node, RecordingResult result, LearnerResult learner) {
        Figures figures = learner.figures();
        node.put("file", result.file()).put("learner", learner.contender().id());
        ScoreFormat.put(node, figures.total());
        putCoverage(node, figures.coverage());
        ScoreFormat.put(node, "answered", figures.answered());
        ScoreFormat.put(node, "microsPerFrame", learner.microsPerFrame());
        ScoreFormat.put(node, "sumsOf400Error", figures.sums());
        ObjectNode regimes = node.putObject("regimes");
        for (StepRegime regime : StepRegime.values()) {
            Figures.OfRegime part = figures.regimes().get(regime);
            if (part != null) {
                ObjectNode entry = regimes.putObject(ScoreFormat.name(regime));
                ScoreFormat.put(entry, part.score());
                entry.put("scored", part.scored());
                putCoverage(entry, part.coverage());
                put(entry, "framesTo10Percent", part.framesToGood());
            }
        }
        ArrayNode overTime = node.putArray("errorOverTime");
        figures.overTime().forEach(overTime::add);
        putExperiments(node, learner.experiments());
        ArrayNode resets = node.putArray("driftResets");
        learner.asRecorded().driftResets().forEach(resets::add);
    }

    /** All but that of the 90 % interval, which the score has already. */
    private static void putCoverage(ObjectNode node, List<Double> coverage) {
        for (int level = 0; level < Predictions.LEVELS.size(); level++) {
            String field = String.format(Locale.ROOT, "coverage%.0f", 100 * Predictions.LEVELS.get(level));
            if (!node.has(field)) {
                ScoreFormat.put(
                        node,
                        field,
                        coverage.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(coverage.get(level)));
            }
        }
    }

    private static void putExperiments(ObjectNode node, LearnerResult.Experiments experiments) {
        node.putNull("coldStart");
        node.putNull("slowerClock");
        node.putNull("switch");
        node.putNull("noise");
        experiments.coldStart().ifPresent(start -> put(node.putObject("coldStart"), start));
        experiments.slowerClock().ifPresent(slower -> put(node.putObject("slowerClock"), slower.recovery()));
        experiments
                .switched()
                .ifPresent(other -> put(node.putObject("switch").put("to", other.to()), other.recovery()));
        experiments
                .noise()
                .ifPresent(noise ->
                        node.putObject("noise").put("mape", noise.mape()).put("addedError", noise.added()));
    }

    private static void put(ObjectNode node, Recovery recovery) {
        node.put("changedAtFrame", recovery.changedAt());
        put(node, "framesTo10Percent", recovery.steps());
    }

    private static void put(ObjectNode node, String field, OptionalInt value) {
        if (value.isPresent()) {
            node.put(field, value.getAsInt());
        } else {
            node.putNull(field);
        }
    }

    private static void put(ObjectNode node, RecordingResult result) {
        Verdict verdict = result.verdict();
        node.put("file", result.file()).put("trust", verdict.trust().name()).put("summary", verdict.summary());
        ArrayNode doubts = node.putArray("doubts");
        verdict.doubts().forEach(doubts::add);
        ArrayNode limits = node.putArray("limits");
        verdict.limits().forEach(limits::add);
        ScoreFormat.put(
                node,
                "errorInUnitsOfBestBaseline",
                result.ratioToBestBaseline().map(OptionalDouble::of).orElse(OptionalDouble.empty()));
    }
}
