/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.backtest;

import io.fpmplanner.service.replay.ErrorSummary;
import io.fpmplanner.service.replay.ScoreFormat;
import java.util.List;
import java.util.Locale;

/** The comparison for people at a terminal. */
final class BacktestTable {
    private BacktestTable() {}

    static String of(BacktestReport report) {
        if (report.results().isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder(legend());
        report.results().forEach(result -> append(text, result));
        return text.append(System.lineSeparator())
                .append(TextTable.of(FigureRows.medians(report)))
                .toString();
    }

    private static String legend() {
        return String.format(
                Locale.ROOT, """
                One step ahead: absolute relative error from step %d on, no answer counts as 100%%; under a regime, its mean there.
                sums: error of the sum over %d steps, median. start, clock, switch: steps until the error over %d is below 10%%, from
                the cold, after all times grew by a quarter, when the next recording follows. prefill, decode, mixed: how many such
                steps had been seen when the error of the last %d was first below 10%%.
                """, ErrorSummary.SCORED_FROM, Figures.SUM_WINDOW, Recovery.WINDOW, Recovery.WINDOW);
    }

    private static void append(StringBuilder text, RecordingResult result) {
        line(text, "");
        line(text, ScoreFormat.fileName(result.file()) + ": " + result.steps() + " steps");
        text.append(TextTable.of(FigureRows.accuracy(result)));
        text.append(TextTable.of(FigureRows.changes(result)));
        String intervals = FigureRows.intervals(result);
        if (!intervals.isEmpty()) {
            line(text, intervals);
        }
        Verdict verdict = result.verdict();
        line(text, "=> " + verdict.trust().words() + " " + verdict.summary());
        verdict.doubts().forEach(doubt -> line(text, "   - " + doubt));
        verdict.limits().forEach(limit -> line(text, "   - " + limit));
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append(System.lineSeparator());
    }

    /** Lines up cells: the first column to the left, the others to the right. */
    private static final class TextTable {
        private static final String GAP = "  ";

        private TextTable() {}

        static String of(List<List<String>> rows) {
            int[] widths = new int[rows.get(0).size()];
            for (List<String> row : rows) {
                for (int i = 0; i < widths.length; i++) {
                    widths[i] = Math.max(widths[i], row.get(i).length());
                }
            }
            StringBuilder text = new StringBuilder();
            for (List<String> row : rows) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < widths.length; i++) {
                    String padding = " ".repeat(widths[i] - row.get(i).length());
                    line.append(i == 0 ? row.get(i) + padding : GAP + padding + row.get(i));
                }
                line(text, line.toString().stripTrailing());
            }
            return text.toString();
        }
    }
}
