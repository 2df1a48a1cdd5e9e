/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.StepRegime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Scores of recordings for machines and for people. */
final class ReplayReport {
    private final List<RecordingScore> scores = new ArrayList<>();
    private final List<RecordingException> failures = new ArrayList<>();

    void add(RecordingScore score) {
        scores.add(score);
    }

    void add(RecordingException failure) {
        failures.add(failure);
    }

    boolean hasFailures() {
        return !failures.isEmpty();
    }

    /** One document; errors are fractions, figures that are not known are null. */
    ObjectNode json() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode recordings = document.putArray("recordings");
        for (RecordingScore score : scores) {
            ObjectNode recording = recordings.addObject().put("file", score.file());
            put(recording, score.total());
            put(recording, "microsPerFrame", score.microsPerFrame());
            ObjectNode regimes = recording.putObject("regimes");
            for (StepRegime regime : StepRegime.values()) {
                ErrorSummary.Score part = score.regimes().get(regime);
                if (part != null) {
                    put(regimes.putObject(name(regime)), part);
                }
            }
        }
        if (hasFailures()) {
            ArrayNode refused = document.putArray("failures");
            for (RecordingException failure : failures) {
                ObjectNode entry = refused.addObject().put("file", failure.file());
                if (failure.line() > 0) {
                    entry.put("line", failure.line());
                } else {
                    entry.putNull("line");
                }
                entry.put("reason", failure.reason());
            }
        }
        return document;
    }

    private static void put(ObjectNode node, ErrorSummary.Score score) {
        node.put("frames", score.frames());
        put(node, "mape", score.mape());
        put(node, "p50", score.p50());
        put(node, "p90", score.p90());
        put(node, "p99", score.p99());
        put(node, "coverage90", score.coverage90());
    }

    private static void put(ObjectNode node, String field, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(field, value.getAsDouble());
        } else {
            node.putNull(field);
        }
    }

    /** An aligned table, a line for each recording and for each of its regimes. */
    String table() {
        if (scores.isEmpty()) {
            return "";
        }
        int width =
                scores.stream().mapToInt(score -> name(score).length()).max().orElse(0);
        StringBuilder text = new StringBuilder("One step ahead, scored from step " + StepScorer.SCORED_FROM
                + " on: absolute relative error, and share of wall times inside the 90 % interval.\n\n");
        text.append(String.format(
                Locale.ROOT,
                "%-" + width + "s  %8s %8s %8s %8s %8s %9s %9s%n",
                "recording",
                "steps",
                "mean",
                "p50",
                "p90",
                "p99",
                "inside 90",
                "us/frame"));
        boolean tooShort = false;
        for (RecordingScore score : scores) {
            text.append(row(width, name(score), score.total(), score.microsPerFrame()));
            for (StepRegime regime : StepRegime.values()) {
                ErrorSummary.Score part = score.regimes().get(regime);
                if (part != null) {
                    text.append(row(width, "  " + name(regime), part, OptionalDouble.empty()));
                }
            }
            tooShort |= score.total().frames() <= StepScorer.SCORED_FROM;
        }
        if (tooShort) {
            text.append("\nRecordings of at most ")
                    .append(StepScorer.SCORED_FROM)
                    .append(" steps are too short to be scored.\n");
        }
        return text.toString();
    }

    private static String row(int width, String name, ErrorSummary.Score score, OptionalDouble micros) {
        return String.format(
                                Locale.ROOT,
                                "%-" + width + "s  %8d %8s %8s %8s %8s %9s %9s",
                                name,
                                score.frames(),
                                percent(score.mape()),
                                percent(score.p50()),
                                percent(score.p90()),
                                percent(score.p99()),
                                percent(score.coverage90()),
                                micros.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", micros.getAsDouble()))
                        .stripTrailing()
                + System.lineSeparator();
    }

    private static String percent(OptionalDouble share) {
        return share.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f%%", 100 * share.getAsDouble());
    }

    /** People know the folder they named. */
    private static String name(RecordingScore score) {
        return String.valueOf(Path.of(score.file()).getFileName());
    }

    private static String name(StepRegime regime) {
        return regime.name().toLowerCase(Locale.ROOT);
    }
}
