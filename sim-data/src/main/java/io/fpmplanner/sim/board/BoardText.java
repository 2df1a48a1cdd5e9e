/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.board;

import java.util.List;
import java.util.Locale;

/** The board for people, in columns. Threadsafe. */
public final class BoardText {
    private BoardText() {}

    /** All of it. */
    public static String of(Standings standings) {
        StringBuilder text = new StringBuilder();
        for (Standings.Stage stage : standings.stages()) {
            text.append(stage.scenario()).append(" (").append(stage.topology()).append(")\n");
            append(text, BoardRows.of(stage));
        }
        for (Standings.Total total : standings.totals()) {
            text.append("All ").append(total.scenarios()).append(" scenarios (");
            text.append(total.topology()).append(")\n");
            append(text, BoardRows.of(total));
        }
        append(text, "Good requests, of those that could be had without foresight", BoundRows.savable(standings));
        append(text, "GPU-hours, of the oracle's", BoundRows.gpuHours(standings));
        standings.totals().stream()
                .flatMap(total -> total.lines().stream())
                .filter(line -> line.meanRank().isPresent())
                .map(Standings.Line::policyId)
                .distinct()
                .forEach(policy -> {
                    List<String> shortfalls = BoundRows.shortfalls(standings, policy);
                    if (!shortfalls.isEmpty()) {
                        text.append(policy).append(" has fewer than 95 % of those in ");
                        text.append(String.join(", ", shortfalls)).append('\n');
                    }
                });
        return text.toString();
    }

    private static void append(StringBuilder text, String title, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            text.append(title).append('\n');
            append(text, rows);
        }
    }

    /** Names to the left, figures to the right, each column as wide as it must be. */
    private static void append(StringBuilder text, List<List<String>> rows) {
        int columns = rows.get(0).size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(any -> any.get(column).length())
                        .max()
                        .orElse(1);
                line.append(String.format(Locale.ROOT, i == 0 ? "%-" + width + "s" : "  %" + width + "s", row.get(i)));
            }
            text.append(line).append('\n');
        }
        text.append('\n');
    }

    /** A line for each run that ended. */
    public static String progress(int done, int runs, RunResult result) {
        return String.format(
                Locale.ROOT,
                "%d of %d: %s (%s), %s, seed %d: %.1f %% good",
                done,
                runs,
                result.runCase().scenario().name(),
                result.runCase().topology().word(),
                result.runCase().policyId(),
                result.runCase().seed(),
                100 * result.score().goodRate());
    }
}
