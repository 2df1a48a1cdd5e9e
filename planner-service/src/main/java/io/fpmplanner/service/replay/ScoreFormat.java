/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.models.StepRegime;
import io.fpmplanner.service.recording.RecordingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** How scores are written in tables and JSON: fractions and null for machines, percent and a dash for people. */
public final class ScoreFormat {
    private ScoreFormat() {}

    /** Puts all figures of a score. */
    public static void put(ObjectNode node, ErrorSummary.Score score) {
        node.put("frames", score.frames());
        put(node, "mape", score.mape());
        put(node, "p50", score.p50());
        put(node, "p90", score.p90());
        put(node, "p99", score.p99());
        put(node, "coverage90", score.coverage90());
    }

    /** Puts a figure, null if it is not known. */
    public static void put(ObjectNode node, String field, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(field, value.getAsDouble());
        } else {
            node.putNull(field);
        }
    }

    /** Puts the files that could not be read, if there are any. */
    public static void putFailures(ObjectNode document, List<RecordingException> failures) {
        if (failures.isEmpty()) {
            return;
        }
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

    /** A share in percent with two decimals, a dash if it is not known. */
    public static String percent(OptionalDouble share) {
        return share.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f%%", 100 * share.getAsDouble());
    }

    /** The last part of a path: people know the folder they named. */
    public static String fileName(String file) {
        return String.valueOf(Path.of(file).getFileName());
    }

    /** A regime in the words of the documents. */
    public static String name(StepRegime regime) {
        return regime.name().toLowerCase(Locale.ROOT);
    }
}
