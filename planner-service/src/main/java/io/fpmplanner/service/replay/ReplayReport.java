/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.recording.RecordingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
            ScoreFormat.put(recording, score.total());
            ScoreFormat.put(recording, "microsPerFrame", score.microsPerFrame());
            itl(recording, score.itl());
            ObjectNode regimes = recording.putObject("regimes");
            for (StepRegime regime : StepRegime.values()) {
                ErrorSummary.Score part = score.regimes().get(regime);
                if (part != null) {
                    ScoreFormat.put(regimes.putObject(ScoreFormat.name(regime)), part);
                }
            }
        }
        ScoreFormat.putFailures(document, failures);
        return document;
    }

    private static void itl(ObjectNode recording, Optional<ItlScore> score) {
        if (score.isEmpty()) {
            recording.putNull("itl");
            return;
        }
        ItlScore itl = score.get();
        recording
                .putObject("itl")
                .put("plans", itl.plans())
                .put("tokens", itl.tokens())
                .put("p50Error", itl.p50Error())
                .put("p90Error", itl.p90Error())
                .put("within50", itl.within50())
                .put("within90", itl.within90())
                .put("within99", itl.within99());
    }

    /**
     * Two aligned tables: a line for each recording and for each of its regimes, and how the time between tokens was predicted
     * of those where anything decoded.
     */
    String table() {
        if (scores.isEmpty()) {
            return "";
        }
        int width = scores.stream()
                .mapToInt(score -> ScoreFormat.fileName(score.file()).length())
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder("One step ahead, scored from step " + ErrorSummary.SCORED_FROM
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
            text.append(row(width, ScoreFormat.fileName(score.file()), score.total(), score.microsPerFrame()));
            for (StepRegime regime : StepRegime.values()) {
                ErrorSummary.Score part = score.regimes().get(regime);
                if (part != null) {
                    text.append(row(width, "  " + ScoreFormat.name(regime), part, OptionalDouble.empty()));
                }
            }
            tooShort |= score.total().frames() <= ErrorSummary.SCORED_FROM;
        }
        itl(text, width);
        if (tooShort) {
            text.append("\nRecordings of at most ")
                    .append(ErrorSummary.SCORED_FROM)
                    .append(" steps are too short to be scored.\n");
        }
        return text.toString();
    }

    private void itl(StringBuilder text, int width) {
        if (scores.stream().allMatch(score -> score.itl().isEmpty())) {
            return;
        }
        text.append(String.format(
                Locale.ROOT,
                "%nTime between tokens (step and gap), as planned once a second, against the second that followed: error of the"
                        + " percentiles, and share of tokens within them.%n%n%-" + width
                        + "s  %8s %10s %8s %8s %9s %9s %9s%n",
                "recording",
                "plans",
                "tokens",
                "p50",
                "p90",
                "within 50",
                "within 90",
                "within 99"));
        for (RecordingScore score : scores) {
            score.itl()
                    .ifPresent(itl -> text.append(String.format(
                            Locale.ROOT,
                            "%-" + width + "s  %8d %10d %8s %8s %9s %9s %9s%n",
                            ScoreFormat.fileName(score.file()),
                            itl.plans(),
                            itl.tokens(),
                            percent(itl.p50Error()),
                            percent(itl.p90Error()),
                            percent(itl.within50()),
                            percent(itl.within90()),
                            percent(itl.within99()))));
        }
    }

    private static String percent(double share) {
        return ScoreFormat.percent(OptionalDouble.of(share));
    }

    private static String row(int width, String name, ErrorSummary.Score score, OptionalDouble micros) {
        return String.format(
                                Locale.ROOT,
                                "%-" + width + "s  %8d %8s %8s %8s %8s %9s %9s",
                                name,
                                score.frames(),
                                ScoreFormat.percent(score.mape()),
                                ScoreFormat.percent(score.p50()),
                                ScoreFormat.percent(score.p90()),
                                ScoreFormat.percent(score.p99()),
                                ScoreFormat.percent(score.coverage90()),
                                micros.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", micros.getAsDouble()))
                        .stripTrailing()
                + System.lineSeparator();
    }
}
